//===- Launcher.h - The words of mpiexec, mpirun and srun -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   mpiexec -n 4 -bind-to core ./ocean : -n 1 ./atmosphere
//                              ^                 ^
//
// A launcher's command line has its own options before each program. Which options take a value
// depends on the launcher's family (LauncherOptions.def). A word that no row covers is a program
// only if it can be executed. Therefore the value of an unknown option is not mistaken for one.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_RUN_LAUNCHER_H
#define MPISPEC_RUN_LAUNCHER_H

#include "run/Subprocess.h"
#include <cstdint>

namespace mpispec {

enum class LauncherFamily : uint8_t { Hydra, OpenMPI, Slurm, Other };

struct Launcher {
  size_t At = 0;    ///< which word of the command it is
  std::string Path; ///< empty: the command has no launcher
  LauncherFamily Family = LauncherFamily::Other;
  unsigned MajorVersion = 0; ///< 0: unknown, or not Open MPI
};

/// A program among the launcher's words.
struct Program {
  size_t At;        ///< which word it is
  size_t OptionsAt; ///< where further options of the launcher belong
  std::string Path;
};

/// The launcher in \p Command: its first word, or the word after a program such as `timeout` that
/// starts another one.
Launcher findLauncher(const Words &Command);

/// The programs that \p L starts. Empty where the words name none, for example if a file does.
std::vector<Program> findPrograms(const Words &Command, const Launcher &L);

/// Whether \p L has an option that sets variables for \p P, and the user's words leave it alone.
bool passesVariables(const Words &Command, const Launcher &L, const Program &P);

/// Inserts the options that set \p Variables ("A=B") in the environment of \p P. False, and
/// nothing is inserted, if a value does not fit.
bool insertVariables(Words &Command, const Launcher &L, const Program &P, const Words &Variables);

} // namespace mpispec
#endif
