//===- RunCommand.h - mpispec run -------------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   mpispec run mpiexec -n 4 ./halo
//     ─► mpiexec -n 4 -env LD_PRELOAD lib/mpispec/mpich/libmpispec.so ./halo
//
// The subcommand finds the programs among the launcher's words (Launcher.h), and chooses a runtime
// for each (ProgramRuntime.h). It starts the command with the variables that preload this runtime.
// The launcher itself gets no preload. Where the launcher has no option for variables, `mpispec
// run` stands before the program and decides again in each rank:
//
//   flux run -n 4 ./halo
//     ─► flux run -n 4 mpispec run -- ./halo
//
// Nothing here uses LLVM, because this subcommand is also built without the compiler.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_RUN_RUNCOMMAND_H
#define MPISPEC_RUN_RUNCOMMAND_H

#include "run/Subcommands.h"

namespace mpispec {

/// The files that stand beside this program.
struct RunInstallation {
  std::string Self;     ///< this program
  std::string Runtimes; ///< lib/mpispec
  std::string Profiler; ///< mpispec-profile; empty: it is not installed
};

/// The places of an installation, or of a build tree, by where this program is.
RunInstallation findRunInstallation();

/// Runs `mpispec run` with the words behind it. Returns the exit status of the command, or 2 if the
/// words make no sense.
int runProgram(const RunInstallation &Here, const Words &Arguments, Suggest Suggestion);

/// "runtimes: mpich openmpi4": those that are installed in \p Runtimes.
std::string runtimesLine(const std::string &Runtimes);

/// The page of `mpispec run --help`, before and after the options.
struct RunPage {
  const char *About, *More;
};
extern const RunPage RunHelp;

/// Prints this page.
void printRunHelp();

} // namespace mpispec
#endif
