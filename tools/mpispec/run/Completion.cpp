//===- Completion.cpp - mpispec completion ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/Completion.h"
#include "run/Subcommands.h"

namespace mpispec {

static std::string joined(const Words &All) {
  std::string Text;
  for (const std::string &Word : All)
    Text += (Text.empty() ? "" : " ") + Word;
  return Text;
}

/// The subcommands, and other words that may be at their place.
static std::string firstWords() {
  Words Names;
  for (const Subcommand &Row : allSubcommands())
    Names.emplace_back(Row.Name);
  return joined(Names) + " help --help --version";
}

/// \p Text between single quotes, for a shell. Each quote in \p Text becomes '\'', which closes the
/// quotes, adds an escaped quote, and opens the quotes again.
static std::string quoted(std::string_view Text) {
  std::string Result = "'";
  for (char C : Text)
    Result += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Result + "'";
}

//===- bash and zsh --------------------------------------------------------------------------===//

/// The words that may follow the subcommand. A long option that needs a value ends in `=`.
static std::string wordsOf(const Subcommand &Row) {
  Words Options;
  for (const SubcommandOption &Option : optionsOf(Row.Name)) {
    const bool IsJoined = Option.needsValue() && Option.Name[1] == '-';
    Options.push_back(std::string(Option.Name) + (IsJoined ? "=" : ""));
  }
  if (Row.Name == "completion")
    Options.insert(Options.begin(), {"bash", "zsh", "fish"});
  return joined(Options);
}

/// A shell function that sets `candidates` by the subcommand in $1 and the word in $2.
static std::string wordFunction() {
  std::string Text = "_mpispec_words() {\n  case \"$1 $2\" in\n";
  for (const Subcommand &Row : allSubcommands())
    for (const SubcommandOption &Option : optionsOf(Row.Name))
      if (const Words Choices = Option.choices(); !Choices.empty())
        Text += "    '" + std::string(Row.Name) + " " + std::string(Option.Name) +
                "='*) candidates='" + joined(Choices) + "' ;;\n";
  for (const Subcommand &Row : allSubcommands())
    Text += "    '" + std::string(Row.Name) + " '*) candidates='" + wordsOf(Row) + "' ;;\n";
  return Text + "    *) candidates= ;;\n  esac\n}\n";
}

/// Readline splits words at `=`, and replaces only what follows it.
static constexpr char BashFunction[] = R"(_mpispec() {
  local line=${COMP_LINE:0:COMP_POINT} current typed candidates first=${COMP_WORDS[1]-}
  current=${line##*[[:space:]]}
  case "$current" in --*=*) typed=${current#*=} ;; *) typed=$current ;; esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    candidates=$_mpispec_first
  elif [ "$first" = help ]; then
    candidates="$_mpispec_first compile environment"
  else
    _mpispec_words "$first" "$current"
  fi
  COMPREPLY=($(compgen -W "$candidates" -- "$typed"))
  case "${COMPREPLY[0]-}" in *=) compopt -o nospace ;; esac
}
complete -o bashdefault -o default -F _mpispec mpispec
)";

static constexpr char ZshFunction[] = R"(_mpispec() {
  local candidates
  if (( CURRENT == 2 )); then
    candidates=$_mpispec_first
  elif [[ $words[2] = help ]]; then
    candidates="$_mpispec_first compile environment"
  else
    _mpispec_words "$words[2]" "$PREFIX"
  fi
  [[ $PREFIX = --*=* ]] && compset -P '*='
  compadd -S '' -- ${(M)${=candidates}:#*=}
  compadd -- ${${=candidates}:#*=} || _files
}
compdef _mpispec mpispec
)";

//===- fish ----------------------------------------------------------------------------------===//

static std::string fishOption(const SubcommandOption &Option, std::string_view Subcommand) {
  const bool IsLong = Option.Name[1] == '-';
  std::string Text = "complete -c mpispec -n '__fish_seen_subcommand_from " +
                     std::string(Subcommand) + "' " + (IsLong ? "-l " : "-s ") +
                     std::string(Option.Name.substr(IsLong ? 2 : 1));
  if (const Words Choices = Option.choices(); !Choices.empty())
    Text += " -xa " + quoted(joined(Choices));
  else if (Option.needsValue())
    Text += " -r";
  return Text + " -d " + quoted(Option.Help) + "\n";
}

static std::string fishScript() {
  std::string Text;
  for (const Subcommand &Row : allSubcommands()) {
    Text += "complete -c mpispec -n __fish_use_subcommand -a " + std::string(Row.Name) + " -d " +
            quoted(Row.Summary) + "\n";
    for (const SubcommandOption &Option : optionsOf(Row.Name))
      Text += fishOption(Option, Row.Name);
  }
  Text += "complete -c mpispec -n '__fish_seen_subcommand_from completion' -xa 'bash zsh fish'\n";
  return Text;
}

//===- All -----------------------------------------------------------------------------------===//

std::string completionScript(const std::string &Shell) {
  const std::string Shared = "_mpispec_first='" + firstWords() + "'\n" + wordFunction();
  if (Shell == "bash")
    return Shared + BashFunction;
  if (Shell == "zsh")
    return "#compdef mpispec\n" + Shared + ZshFunction;
  return Shell == "fish" ? fishScript() : "";
}

} // namespace mpispec
