//===- Launcher.h - The words of mpiexec, mpirun and srun -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   mpiexec -n 4 -bind-to core ./ocean : -n 1 ./atmosphere
//                              ^              ^
//
// In a launcher's command line, options of the launcher precede each program. Which options take a
// value depends on the launcher's family (LauncherOptions.def). The first word that is neither an
// option nor a value is the program. If it cannot be executed here, no program is found, because
// the later words are its arguments and must stay as they are. If the family is not known, the
// options of Hydra and Open MPI count. The program is then the first other word that can be
// executed.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_RUN_LAUNCHER_H
#define MPISPEC_RUN_LAUNCHER_H

#include "run/Subprocess.h"
#include <cstdint>

namespace mpispec {

enum class LauncherFamily : uint8_t { Hydra, OpenMPI, Slurm, Other };

struct Launcher {
  size_t At = 0;    ///< the index of its word in the command
  std::string Path; ///< empty: the command has no launcher
  LauncherFamily Family = LauncherFamily::Other;
  unsigned MajorVersion = 0; ///< 0: unknown, or not Open MPI
};

/// A program among the launcher's words.
struct Program {
  size_t At;        ///< the index of its word
  size_t OptionsAt; ///< the index at which to insert options of the launcher
  std::string Word; ///< the word itself, or "./halo" for a word "halo" that is not on the PATH
  std::string Path;
};

/// The launcher in \p Command: its first word, or a later one behind a program such as `timeout`
/// that starts another one.
Launcher findLauncher(const Words &Command);

/// The programs that \p L starts. Empty if the words name no program, for example because a file
/// names it.
std::vector<Program> findPrograms(const Words &Command, const Launcher &L);

/// Whether an option of \p L can set variables for \p P in this command. False if the user's words
/// already set LD_PRELOAD or a list of variables, or if the environment has such a list.
bool passesVariables(const Words &Command, const Launcher &L, const Program &P);

/// Inserts the options that set \p Variables ("A=B") in the environment of \p P. Returns false and
/// inserts nothing if the option cannot express a value.
bool insertVariables(Words &Command, const Launcher &L, const Program &P, const Words &Variables);

} // namespace mpispec
#endif
