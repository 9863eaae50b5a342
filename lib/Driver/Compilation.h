//===- Compilation.h - A compiler command that is divided into steps --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_DRIVER_COMPILATION_H
#define MPISPEC_DRIVER_COMPILATION_H

#include "Driver/Prefilter.h"
#include "Driver/Specialise.h"
#include "llvm/ADT/STLExtras.h"

namespace mpispec {

/// The parsed command of the user, the MPI names in its sources, and what the link is to get.
struct Task {
  Command User;
  Invocation I;
  std::vector<TextFindings> Findings; ///< parallel to I.sources()
  bool AddRuntime = false;            ///< the runtime
  /// The program's own functions are to get the calls. Without this, a runtime elsewhere in the
  /// process would open the templates.
  bool HideStates = false;

  bool hasCalls() const {
    return llvm::any_of(Findings, [](const TextFindings &F) { return F.HasCalls; });
  }
  bool namesMPI() const {
    return llvm::any_of(Findings, [](const TextFindings &F) { return F.NamesMPI; });
  }
};

/// Does the command link a runtime of mpispec by itself?
bool namesRuntime(const Invocation &I);

/// Specialises the calls of \p Job, compiles and links. The effects are those of \p UserWords, the
/// user's command, which runs unchanged if a step fails. Does not return if the process becomes
/// that command; otherwise returns the exit status.
int compile(const Settings &Own, const Installation &Here, Task Job, Toolchain T,
            CommandLine UserWords);

} // namespace mpispec
#endif
