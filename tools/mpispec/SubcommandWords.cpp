//===- SubcommandWords.cpp - The arguments of a subcommand ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SubcommandWords.h"
#include "Support/Suggestion.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mpispec {

Expected<SubcommandWords> readWords(ArrayRef<std::string> Words, bool ReadsDatabase,
                                    OptionReader ReadOption) {
  SubcommandWords Read;
  while (!Words.empty()) {
    StringRef Word = Words[0];
    size_t Length = 1;
    if (Word == "--") {
      Read.Flags = Words.drop_front().vec();
      break;
    }
    if (Word == "-p" && ReadsDatabase) {
      if (Words.size() == 1)
        return createStringError("option '-p' needs a build directory: -p DIR");
      Read.BuildDirectory = Words[1];
      Length = 2;
    } else if (Word.size() > 1 && Word[0] == '-') {
      Expected<size_t> OfOption = ReadOption(Words);
      if (!OfOption)
        return OfOption.takeError();
      Length = *OfOption;
    } else {
      Read.Files.push_back(Word.str());
    }
    Words = Words.drop_front(Length);
  }
  return Read;
}

void joinValues(CommandLine &Words) {
  static constexpr StringRef Valued[] = {
      "--format",   "--width",          "--print", "--html",           "--checks",
      "--baseline", "--write-baseline", "--sites", "--profile-before", "--mpiexec"};
  CommandLine Joined;
  size_t At = 0;
  for (; At < Words.size() && Words[At] != "--"; ++At) {
    // In other subcommands than `report` this option may stand without a value.
    const bool IsValued =
        is_contained(Valued, Words[At]) || (Words[At] == "--profile" && Words[0] == "report");
    const bool MayBeginWithDash = Words[At] == "--checks"; // which switches a check off
    if (IsValued && At + 1 < Words.size() &&
        (MayBeginWithDash || !StringRef(Words[At + 1]).starts_with("-"))) {
      Joined.push_back(Words[At] + "=" + Words[At + 1]);
      ++At;
    } else {
      Joined.push_back(Words[At]);
    }
  }
  Joined.insert(Joined.end(), Words.begin() + At, Words.end());
  Words = std::move(Joined);
}

bool asksForHelp(ArrayRef<std::string> Words) {
  ArrayRef<std::string> Own(Words.begin(), find(Words, "--"));
  return is_contained(Own, "--help") || is_contained(Own, "-h");
}

Error unknownOption(StringRef Word, StringRef Subcommand, ArrayRef<StringRef> Known) {
  return createStringError("unknown option '" + Word + "' of 'mpispec " + Subcommand + "'" +
                           didYouMean(Word.split('=').first, Known) + "; 'mpispec " + Subcommand +
                           " --help' lists the options");
}

} // namespace mpispec
