//===- Settings.cpp - mpispec's own options ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Settings.h"
#include "Lint/CheckList.h"
#include "Support/Suggestion.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;

namespace mpispec {

static Error badOption(const Twine &Message) {
  return createStringError(Message + "; 'mpispec help compile' lists the options");
}

static Error addChecks(Settings &S, StringRef Globs) {
  CheckList Checks;
  if (Error E = Checks.apply(Globs))
    return createStringError("in --mpispec-checks: " + toString(std::move(E)));
  S.Checks += ("," + Globs).str();
  return Error::success();
}

/// Applies the option \p Word to \p S.
static Error applyOption(Settings &S, StringRef Word) {
  auto [Name, Value] = Word.split('=');
  bool HasValue = Name.size() != Word.size(), Good = true;
#define MPISPEC_SETTING(SPELLING, VALUE, FIELD, HELP)                                              \
  if (Name == SPELLING) {                                                                          \
    if (StringRef(VALUE).empty() && HasValue)                                                      \
      return badOption("option '" + Name + "' takes no value");                                    \
    if (!StringRef(VALUE).empty() && Value.empty())                                                \
      return badOption("option '" + Name + "' needs a value: " SPELLING "=" VALUE);                \
    FIELD;                                                                                         \
    if (!Good)                                                                                     \
      return badOption("option '" + Name + "' cannot be '" + Value + "'");                         \
    return Error::success();                                                                       \
  }
#include "Driver/Settings.def"
  static const StringRef Spellings[] = {
#define MPISPEC_SETTING(SPELLING, VALUE, FIELD, HELP) SPELLING,
#include "Driver/Settings.def"
  };
  return badOption("unknown option '" + Word + "'" + didYouMean(Name, Spellings));
}

/// Whether the option \p Name needs a value. Nothing if there is no such option.
static std::optional<bool> needsValue(StringRef Name) {
#define MPISPEC_SETTING(SPELLING, VALUE, FIELD, HELP)                                              \
  if (Name == SPELLING)                                                                            \
    return !StringRef(VALUE).empty();
#include "Driver/Settings.def"
  return std::nullopt;
}

/// Takes the options in front of the compiler, which need no `mpispec-` and whose value may be the
/// next word. `--help` stays, because it has a page of its own.
static Error takeLeadingOptions(Settings &S, CommandLine &Words) {
  size_t At = 0;
  for (; At < Words.size() && StringRef(Words[At]).starts_with("--"); ++At) {
    std::string Full = Words[At];
    if (!StringRef(Full).starts_with("--mpispec-"))
      Full.insert(2, "mpispec-");
    const bool HasValue = StringRef(Full).contains('=');
    const std::optional<bool> Needs = needsValue(StringRef(Full).split('=').first);
    if (!Needs || Words[At] == "--help")
      break;
    if (*Needs && !HasValue && Full != Words[At] && At + 1 < Words.size())
      Full += "=" + Words[++At];
    if (Error E = applyOption(S, Full))
      return E;
  }
  Words.erase(Words.begin(), Words.begin() + At);
  return Error::success();
}

std::vector<std::string> leadingOptions() {
  std::vector<std::string> Names;
  for (StringRef Spelling : std::initializer_list<StringRef>{
#define MPISPEC_SETTING(SPELLING, VALUE, FIELD, HELP) SPELLING,
#include "Driver/Settings.def"
       }) {
    Spelling.consume_front("--mpispec-");
    Names.push_back("--" + Spelling.str());
  }
  return Names;
}

Expected<Settings> takeSettings(CommandLine &Words) {
  Settings S;
  if (const char *Flags = std::getenv("MPISPEC_FLAGS"))
    for (const std::string &Word : splitWords(Flags))
      if (Error E = applyOption(S, Word))
        return createStringError("in MPISPEC_FLAGS: " + toString(std::move(E)));
  if (Error E = takeLeadingOptions(S, Words))
    return E;
  CommandLine Rest;
  for (std::string &Word : Words) {
    if (!StringRef(Word).starts_with("--mpispec-"))
      Rest.push_back(std::move(Word));
    else if (Error E = applyOption(S, Word))
      return E;
  }
  Words = std::move(Rest);
  return S;
}

unsigned timeLimit(const Settings &S, uint64_t Bytes) {
  constexpr uint64_t Least = 20, PerMegabyte = 4, Megabyte = 1000000;
  return S.TimeLimit.value_or(std::max(Least, Bytes * PerMegabyte / Megabyte));
}

void printSettingsHelp(raw_ostream &OS) {
  auto Row = [&OS](std::string Spelling, StringRef Value, StringRef Help) {
    if (Help.empty())
      return;
    if (!Value.empty())
      Spelling += "=" + Value.str();
    OS << "  " << Spelling;
    OS.indent(Spelling.size() < 30 ? 30 - Spelling.size() : 1) << Help << '\n';
  };
#define MPISPEC_SETTING(SPELLING, VALUE, FIELD, HELP) Row(SPELLING, VALUE, HELP);
#include "Driver/Settings.def"
}

} // namespace mpispec
