//===- ProgramRuntime.h - The choice of a runtime for a program ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dynamic linker lists the libraries that a program would load (LD_TRACE_LOADED_OBJECTS, as ldd
// does). A second list, with the runtime preloaded, shows whether it can be loaded. An interpreter
// or a script links no MPI library. For Python, the MPI library of mpi4py decides. Otherwise the
// later words of the command are searched for an MPI program or Python, and the first one decides.
// If there is no such word, the launcher decides. A wrong choice is harmless. The runtime restarts
// the program with the right runtime or with none, or passes all calls to the MPI library
// (runtime/abi/foreign.h).
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_RUN_PROGRAMRUNTIME_H
#define MPISPEC_RUN_PROGRAMRUNTIME_H

#include "run/Launcher.h"
#include "run/RunInstallation.h"

namespace mpispec {

struct Preload {
  std::string Value; ///< the new value of LD_PRELOAD, which includes the old one; empty: no change
  std::string Note;  ///< why nothing is preloaded
};

/// \p Command begins with the program, whose file is \p Path, and ends with its arguments. \p Here
/// contains the runtimes and the path of mpispec. If the program is a script or does not use glibc,
/// the second list of the dynamic linker is made for mpispec instead.
Preload choosePreload(const Words &Command, const std::string &Path, const Launcher &L,
                      const RunInstallation &Here);

/// The name of the shared runtime that the program at \p Path needs and the dynamic linker does not
/// find, or empty.
std::string missingRuntime(const std::string &Path);

} // namespace mpispec
#endif
