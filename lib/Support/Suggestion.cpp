//===- Suggestion.cpp - The nearest valid word to a mistyped one ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/Suggestion.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace mpispec {

/// The length of the prefix that \p Word and all of \p Known share: `--mpispec-`.
static size_t commonPrefix(StringRef Word, ArrayRef<StringRef> Known) {
  for (StringRef Candidate : Known)
    while (!Candidate.starts_with(Word))
      Word = Word.drop_back();
  return Word.size();
}

StringRef nearest(StringRef Word, ArrayRef<StringRef> Known) {
  StringRef Best;
  unsigned Least = (Word.size() - commonPrefix(Word, Known) + 2) / 3 + 1;
  for (StringRef Candidate : Known) {
    unsigned Distance = Word.edit_distance(Candidate, /*AllowReplacements=*/true, Least);
    if (Distance >= Least)
      continue;
    Best = Candidate;
    Least = Distance;
  }
  return Best;
}

std::string didYouMean(StringRef Word, ArrayRef<StringRef> Known) {
  StringRef Meant = nearest(Word, Known);
  return Meant.empty() ? "" : (Twine(" (did you mean '") + Meant + "'?)").str();
}

} // namespace mpispec
