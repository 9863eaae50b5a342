//===- ProgramRuntime.h - The choice of a runtime for a program ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dynamic linker lists the libraries that a program would load (LD_TRACE_LOADED_OBJECTS, as ldd
// does). The same list shows whether the runtime can be loaded into the program. An interpreter or
// a script has no MPI library: Python prints the place of mpi4py, and for others the launcher
// decides. A wrong decision is no mistake: the runtime restarts the program with the right one
// (runtime/abi/foreign.c).
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_RUN_PROGRAMRUNTIME_H
#define MPISPEC_RUN_PROGRAMRUNTIME_H

#include "run/Launcher.h"
#include "run/RunInstallation.h"

namespace mpispec {

struct Preload {
  std::string Value; ///< for LD_PRELOAD, with its present value; empty: no change
  std::string Note;  ///< why nothing is preloaded
};

/// \p Command begins with the program, whose file is \p Path, and ends with its arguments.
/// \p Here has the runtimes, and a program without MPI: its own.
Preload choosePreload(const Words &Command, const std::string &Path, const Launcher &L,
                      const RunInstallation &Here);

} // namespace mpispec
#endif
