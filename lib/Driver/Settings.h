//===- Settings.h - mpispec's own options -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--mpispec-...` words may stand anywhere in a command, because build systems put flags anywhere.
// They may also stand in the environment variable MPISPEC_FLAGS. The command is read after the
// environment and overrides it. The rows, with their help, are in Settings.def.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_SETTINGS_H
#define MPISPEC_DRIVER_SETTINGS_H

#include "Driver/Invocation.h"
#include "llvm/Support/Error.h"

namespace mpispec {

struct Settings {
  bool Help = false;
  bool Quiet = false;   ///< subcommands print neither notes nor progress
  bool Verbose = false; ///< prints each step to stderr
  bool DryRun = false;  ///< prints each step to stdout instead of running it
  bool CheckFacts = false;
  bool InlineAll = false;
  std::string Checks;           ///< globs, which switch warnings on and off (Lint/CheckList.h)
  std::string SaveDirectory;    ///< empty: nothing is kept
  std::string RemarksDirectory; ///< empty: no remarks are written
  std::string ProfileDirectory; ///< the profile of a run (docs/Profile.md); empty: none
  std::string LinksDirectory;   ///< where links to mpispec are to be made; empty: nowhere
  std::string Analyzer;         ///< the analysis program; empty: the one installed with mpispec
  std::string Runtime;          ///< libmpispec.a; empty: the one installed with mpispec, if any
  /// Processor seconds for the analysis of one source. 0: no limit. Absent: timeLimit() decides.
  std::optional<unsigned> TimeLimit;
};

/// The limit that the settings give, or the default for \p Bytes of preprocessed text.
unsigned timeLimit(const Settings &S, uint64_t Bytes);

/// Takes mpispec's own words out of \p Words. The error names the unknown word.
llvm::Expected<Settings> takeSettings(CommandLine &Words);

/// The options as they may be written in front of the compiler: "--verbose", ...
std::vector<std::string> leadingOptions();

/// The options with their help, for `mpispec --help`.
void printSettingsHelp(llvm::raw_ostream &OS);

} // namespace mpispec
#endif
