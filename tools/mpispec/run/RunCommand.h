//===- RunCommand.h - mpispec run -------------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   mpispec run mpiexec -n 4 ./halo
//     ─► mpiexec -n 4 -env LD_PRELOAD lib/mpispec/mpich/libmpispec.so ./halo
//
// The subcommand finds the programs among the launcher's words (Launcher.h), and chooses a runtime
// for each (ProgramRuntime.h). It starts the command with the variables that preload this runtime.
// The launcher itself gets no preload. Where the launcher has no option for variables, `mpispec
// run` is put before the program, and chooses the runtime in each rank:
//
//   flux run -n 4 ./halo
//     ─► flux run -n 4 mpispec run -- ./halo
//
// Nothing here uses LLVM, because this subcommand is also built without the compiler.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_RUN_RUNCOMMAND_H
#define MPISPEC_RUN_RUNCOMMAND_H

#include "run/RunInstallation.h"
#include "run/Subcommands.h"

namespace mpispec {

/// Runs `mpispec run` with \p Arguments. Returns the exit status of the command, or 2 if the
/// arguments are invalid.
int runProgram(const RunInstallation &Here, Words Arguments, Suggest Suggestion);

extern const HelpPage RunHelp;

} // namespace mpispec
#endif
