//===- Subcommands.h - The words of subcommands -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the table Subcommands.def in C++, with functions that check words against it.
// Nothing here uses LLVM, because `mpispec run` is also built without the compiler.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_RUN_SUBCOMMANDS_H
#define MPISPEC_RUN_SUBCOMMANDS_H

#include "run/Subprocess.h"
#include <string_view>

namespace mpispec {

struct Subcommand {
  std::string_view Name, Arguments, Summary;
};

struct SubcommandOption {
  std::string_view Of, Name, Value, Help;

  bool isSwitch() const { return Value.empty(); }
  bool needsValue() const { return !Value.empty() && Value[0] != '['; }
  /// The name of the value for error messages, without brackets.
  std::string valueName() const;
  /// All possible values. Empty if the values are not limited.
  Words choices() const;
};

const std::vector<Subcommand> &allSubcommands();

/// The options of \p Subcommand, followed by the options that every subcommand accepts.
std::vector<SubcommandOption> optionsOf(std::string_view Subcommand);

/// Options that every subcommand accepts.
struct CommonOptions {
  bool Quiet = false, Help = false;
  std::string Color; ///< auto, always or never; empty: not given
};

/// A text such as " (did you mean '--format'?)", or an empty one.
using Suggest = std::string (*)(const std::string &Word, const Words &Known);

/// Checks the words of \p Subcommand by the table, takes the common options out, and joins
/// `--format json` to `--format=json`. Words behind `--`, and those behind the first argument of
/// `run`, stay as they are. Returns the error, or an empty text.
std::string checkWords(std::string_view Subcommand, Words &All, CommonOptions &Common,
                       Suggest Suggestion);

/// Sets the environment variables that determine colours, for this program and its children.
void chooseColor(const std::string &When);

/// The lines for one option: the name in a column, and the help wrapped beside it.
std::string listed(std::string_view Name, std::string_view Help);
/// Those lines for all options of \p Subcommand.
std::string listedOptions(std::string_view Subcommand);

/// The output of `mpispec SUBCOMMAND --help`, before and after the options.
struct HelpPage {
  const char *About, *More;
};
void printHelpPage(const char *Subcommand, const HelpPage &Page);

} // namespace mpispec
#endif
