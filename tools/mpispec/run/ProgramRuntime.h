//===- ProgramRuntime.h - The choice of a runtime for a program ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dynamic linker lists the libraries that a program would load (LD_TRACE_LOADED_OBJECTS, as ldd
// does). The same list shows whether the runtime can be loaded into the program. An interpreter or
// a script links no MPI library. For Python, the MPI library of mpi4py decides. Otherwise the first
// word of the command that is an MPI program or Python decides, and without one the launcher. A
// wrong choice is harmless: the runtime restarts the program with the right runtime
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

/// \p Command begins with the program, whose file is \p Path, and ends with its arguments. \p Here
/// contains the runtimes, and the path of this program, which does not use MPI.
Preload choosePreload(const Words &Command, const std::string &Path, const Launcher &L,
                      const RunInstallation &Here);

} // namespace mpispec
#endif
