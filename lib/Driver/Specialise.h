//===- Specialise.h - One source, from text to rewritten text ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user's compiler preprocesses a source, and the analysis program rewrites the text. The
// analysis is a process of its own. If it fails in any way, the build continues with the user's
// command.
//
//   foo.c ─► cc -E ─► foo.i ─► mpispec-analyze unit ─► rewritten foo.i
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_SPECIALISE_H
#define MPISPEC_DRIVER_SPECIALISE_H

#include "Driver/Commands.h"
#include "Driver/Session.h"
#include "Support/Remarks.h"

namespace mpispec {

/// The paths of the other parts of mpispec. An empty path: the part is not installed.
struct Installation {
  std::string Analyzer;        ///< the program mpispec-analyze
  std::string FortranAnalyzer; ///< the program mpispec-analyze-fortran, if it is installed
  std::string LintPage;        ///< docs/Lint.md, if it is installed
  std::string Profiler;        ///< the program mpispec-profile, if it is installed
  std::string Runtime;         ///< libmpispec.a of the main MPI library, or that of Settings
  /// Directories with a subdirectory for each MPI library, which contains the runtime for that
  /// library. Empty: there is only Runtime.
  std::vector<std::string> RuntimeDirectories;

  bool hasRuntimes() const { return !Runtime.empty() || !RuntimeDirectories.empty(); }
  /// The library for \p Kind; empty: there is none for it.
  std::string runtimeFor(const RuntimeKind &Kind) const;
};

/// The remark of a fallback: a row of Support/Remarks.def, and one more line.
struct FallbackReason {
  RemarkID ID;
  std::string Detail;
};

struct SpecialisedSource {
  std::string Text; ///< path of the rewritten text; empty: the source stays as it is
  /// The preprocessor printed no message, and the analysis found no reason for a diagnostic.
  bool Silent = true;
  std::optional<FallbackReason> Reason; ///< why it could not be analysed
};

/// \p ProfileIndex: the index of a profile (ProfileOption.h); may be empty.
SpecialisedSource specialise(Session &S, const Installation &Here, const Toolchain &T,
                             const Invocation &I, unsigned Index, DependencyFiles D,
                             const std::string &ProfileIndex);

/// Reports that the source at \p Index is left to the user's own command. Prints the report if
/// --mpispec-verbose is set, or if the analysis ran out of time. If remarks are written, the remark
/// replaces those of the analysis.
void remarkFallback(const Session &S, const Invocation &I, unsigned Index, const FallbackReason &F);

} // namespace mpispec
#endif
