//===- SubcommandWords.cpp - The arguments of a subcommand ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SubcommandWords.h"
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

} // namespace mpispec
