//===- RunInstallation.h - The files that stand beside this program ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The paths in an installation, or in a build tree, are derived from the directory of this program.
// `mpispec run` and `mpispec runtime` use them. The driver searches for runtimes in the same
// directories.
//
// `mpispec runtime add` makes a runtime in a directory whose name contains the identity of this
// build. Another build of mpispec does not find it, because the templates and the layout of
// messages may differ between builds. The user's directory is used only if it belongs to the user
// or root, and neither a group nor other users may write there.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_RUN_RUNINSTALLATION_H
#define MPISPEC_RUN_RUNINSTALLATION_H

#include "run/Subprocess.h"

namespace mpispec {

struct RunInstallation {
  std::string Self;     ///< this program
  std::string Profiler; ///< mpispec-profile; empty: it is not installed
  std::string Archive;  ///< libmpispec.a of the main MPI library; empty: it is not installed
  std::string Sources;  ///< the runtime's sources; empty: they are not installed
  std::string OfAll;    ///< where root adds runtimes
  std::string OfUser;   ///< where the user adds runtimes; empty: the user has no home directory
  Words Runtimes; ///< lib/mpispec, OfAll, OfUser, if they exist: <directory>/<name> is a runtime
};
RunInstallation findRunInstallation();

/// The path of \p File of the runtime \p Name, or empty.
std::string runtimeFile(const Words &Runtimes, std::string_view Name, const char *File);

/// The names of the runtimes in \p Runtimes as one line: "runtimes: mpich openmpi4".
std::string runtimesLine(const Words &Runtimes);

} // namespace mpispec
#endif
