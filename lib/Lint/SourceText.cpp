//===- SourceText.cpp - The lines of findings -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lint/SourceText.h"
#include "Lint/CheckList.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace mpispec {

const SourceText::File &SourceText::read(StringRef Name) {
  auto [Entry, IsNew] = Files.try_emplace(Name);
  File &F = Entry->second;
  if (!IsNew)
    return F;
  if (auto Buffer = MemoryBuffer::getFile(Name)) {
    F.Buffer = std::move(*Buffer);
    F.Buffer->getBuffer().split(F.Lines, '\n');
  }
  return F;
}

StringRef SourceText::line(StringRef Name, unsigned Line) {
  const File &F = read(Name);
  return Line >= 1 && Line <= F.Lines.size() ? F.Lines[Line - 1] : "";
}

/// Does \p Line contain the comment \p Word? If the comment has a list of checks, the list must
/// contain \p Rule.
static bool hasComment(StringRef Line, StringRef Word, LintRule Rule) {
  while (true) {
    const size_t At = Line.find(Word);
    if (At == StringRef::npos)
      return false;
    Line = Line.drop_front(At + Word.size());
    if (!Line.empty() && (isAlnum(Line[0]) || Line[0] == '_'))
      continue; // a longer word
    if (!Line.consume_front("("))
      return true;
    CheckList List = CheckList::none();
    List.applyKnown(Line.split(')').first);
    if (List.includes(Rule))
      return true;
  }
}

bool SourceText::suppresses(const LintFinding &F) {
  return hasComment(line(F.Where.File, F.Where.Line), "NOLINT", F.Rule) ||
         hasComment(line(F.Where.File, F.Where.Line - 1), "NOLINTNEXTLINE", F.Rule);
}

} // namespace mpispec
