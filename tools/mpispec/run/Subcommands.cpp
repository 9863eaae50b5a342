//===- Subcommands.cpp - The words of subcommands ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/Subcommands.h"
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

namespace mpispec {

//===- The table -----------------------------------------------------------------------------===//

const std::vector<Subcommand> &allSubcommands() {
  static const std::vector<Subcommand> Rows = {
#define MPISPEC_SUBCOMMAND(NAME, ARGUMENTS, SUMMARY) {NAME, ARGUMENTS, SUMMARY},
#include "run/Subcommands.def"
  };
  return Rows;
}

std::vector<SubcommandOption> optionsOf(std::string_view Subcommand) {
  static constexpr SubcommandOption Rows[] = {
#define MPISPEC_SUBCOMMAND_OPTION(OF, NAME, VALUE, HELP) {OF, NAME, VALUE, HELP},
#include "run/Subcommands.def"
  };
  std::vector<SubcommandOption> Own;
  std::copy_if(std::begin(Rows), std::end(Rows), std::back_inserter(Own),
               [&](const SubcommandOption &Row) { return Row.Of == Subcommand || Row.Of == "*"; });
  return Own;
}

std::string SubcommandOption::valueName() const {
  const bool IsBracketed = !Value.empty() && Value[0] == '[';
  return std::string(IsBracketed ? Value.substr(1, Value.size() - 2) : Value);
}

Words SubcommandOption::choices() const {
  return !Value.empty() && std::islower(static_cast<unsigned char>(Value[0]))
             ? splitAt(std::string(Value), "|")
             : Words();
}

//===- The words -----------------------------------------------------------------------------===//

namespace {
class WordChecker {
public:
  WordChecker(std::string_view Subcommand, CommonOptions &Common, Suggest Suggestion)
      : Subcommand(Subcommand), Common(Common), Suggestion(Suggestion),
        Options(optionsOf(Subcommand)) {}
  std::string check(const Words &All);
  Words Result;

private:
  std::string checkOption(const Words &All, size_t &At);
  std::string checkValue(const SubcommandOption &Option, const std::string &Value) const;
  std::string unknown(const std::string &Word) const;
  const SubcommandOption *find(const std::string &Name) const;
  bool takeCommon(const std::string &Name, const std::string &Value);

  const std::string Subcommand;
  CommonOptions &Common;
  const Suggest Suggestion;
  const std::vector<SubcommandOption> Options;
};
} // namespace

const SubcommandOption *WordChecker::find(const std::string &Name) const {
  const auto Row = std::find_if(Options.begin(), Options.end(),
                                [&](const SubcommandOption &O) { return O.Name == Name; });
  return Row == Options.end() ? nullptr : &*Row;
}

std::string WordChecker::unknown(const std::string &Word) const {
  Words Known;
  for (const SubcommandOption &Option : Options)
    Known.emplace_back(Option.Name);
  return "unknown option '" + Word + "' of 'mpispec " + Subcommand + "'" +
         Suggestion(Word.substr(0, Word.find('=')), Known) + "; 'mpispec " + Subcommand +
         " --help' lists the options";
}

std::string WordChecker::checkValue(const SubcommandOption &Option,
                                    const std::string &Value) const {
  const Words Choices = Option.choices();
  const std::string Name(Option.Name);
  if (Value.empty())
    return "option '" + Name + "' needs a value: '" + Name + (Name[1] == '-' ? "=" : " ") +
           Option.valueName() + "'";
  if (Choices.empty() || std::find(Choices.begin(), Choices.end(), Value) != Choices.end())
    return "";
  return "option '" + Name + "' cannot be '" + Value + "'; it is " + std::string(Option.Value);
}

bool WordChecker::takeCommon(const std::string &Name, const std::string &Value) {
  if (Name == "--quiet")
    Common.Quiet = true;
  else if (Name == "--help" || Name == "-h")
    Common.Help = true;
  else if (Name == "--color")
    Common.Color = Value;
  else
    return false;
  return true;
}

/// The option at \p At, with a value that may be the next word.
std::string WordChecker::checkOption(const Words &All, size_t &At) {
  const std::string &Word = All[At];
  const bool IsLong = Word[1] == '-';
  const size_t Equals = IsLong ? Word.find('=') : std::string::npos;
  const std::string Name = IsLong ? Word.substr(0, Equals) : Word.substr(0, 2);
  const SubcommandOption *Option = find(Name == "-h" ? "--help" : Name);
  if (!Option || (!IsLong && Option->isSwitch() && Word.size() > 2))
    return unknown(Word);
  const bool HasValue = IsLong ? Equals != std::string::npos : Word.size() > 2;
  if (Option->isSwitch() && HasValue)
    return "option '" + Name + "' takes no value";
  std::string Value = HasValue ? Word.substr(IsLong ? Equals + 1 : 2) : "";
  if (Option->needsValue() && !HasValue && At + 1 < All.size() &&
      All[At + 1].compare(0, 2, "--") != 0)
    Value = All[++At];
  if (Option->needsValue() || HasValue)
    if (const std::string Error = checkValue(*Option, Value); !Error.empty())
      return Error;
  if (takeCommon(Name, Value))
    return "";
  Result.push_back(IsLong && !Value.empty() ? Name + "=" + Value : Name);
  if (!IsLong && !Value.empty())
    Result.push_back(Value);
  return "";
}

std::string WordChecker::check(const Words &All) {
  size_t At = 0;
  for (; At < All.size() && All[At] != "--"; ++At) {
    if (All[At].size() < 2 || All[At][0] != '-') {
      if (Subcommand == "run")
        break;
      Result.push_back(All[At]);
    } else if (const std::string Error = checkOption(All, At); !Error.empty()) {
      return Error;
    }
  }
  Result.insert(Result.end(), All.begin() + At, All.end());
  return "";
}

std::string checkWords(std::string_view Subcommand, Words &All, CommonOptions &Common,
                       Suggest Suggestion) {
  WordChecker Checker(Subcommand, Common, Suggestion);
  const std::string Error = Checker.check(All);
  All = std::move(Checker.Result);
  return Error;
}

void chooseColor(const std::string &When) {
  if (When == "always")
    unsetenv("NO_COLOR"), setenv("CLICOLOR_FORCE", "1", 1);
  else if (When == "never")
    unsetenv("CLICOLOR_FORCE"), setenv("NO_COLOR", "1", 1);
}

//===- Help ----------------------------------------------------------------------------------===//

std::string listed(std::string_view Name, std::string_view Help) {
  constexpr size_t Column = 19, Columns = 100;
  std::string Text = "  " + std::string(Name);
  if (Text.size() > Column - 2)
    Text += "\n" + std::string(Column, ' ');
  else
    Text.append(Column - Text.size(), ' ');
  size_t Width = Column;
  for (const std::string &Word : splitAt(std::string(Help), " ")) {
    if (Width + Word.size() > Columns) {
      Text.back() = '\n';
      Text.append(Column, ' ');
      Width = Column;
    }
    Text += Word + " ";
    Width += Word.size() + 1;
  }
  Text.back() = '\n';
  return Text;
}

std::string listedOptions(std::string_view Subcommand) {
  std::string Text;
  for (const SubcommandOption &Option : optionsOf(Subcommand)) {
    std::string Name(Option.Name);
    if (Option.Name[1] != '-')
      Name += " " + std::string(Option.Value);
    else if (Option.needsValue())
      Name += "=" + std::string(Option.Value);
    else if (!Option.isSwitch())
      Name += "[=" + std::string(Option.Value.substr(1));
    Text += listed(Name, Option.Help);
  }
  return Text;
}

void printHelpPage(const char *Subcommand, const HelpPage &Page) {
  std::printf("%s\nOptions:\n%s%s", Page.About, listedOptions(Subcommand).c_str(), Page.More);
}

} // namespace mpispec
