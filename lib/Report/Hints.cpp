//===- Hints.cpp - Edits that a person could make, by variable --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Report/Hints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

void Hints::add(const SiteRecord &Record) {
  for (const SiteRecord::Miss &M : Record.Missed) {
    if (M.Edit.empty())
      continue;
    Hint &H = ByEdit[{Record.File, M.Scope, M.Variable, M.Edit}];
    H = {Record.File, M.Scope, M.Variable, M.Edit, text(M.ID).str(), H.Calls + 1};
  }
}

std::vector<Hint> Hints::list() const {
  std::vector<Hint> List;
  for (const auto &[Key, H] : ByEdit)
    List.push_back(H);
  llvm::sort(List, [](const Hint &L, const Hint &R) {
    return std::tie(R.Calls, L.File, L.Scope, L.Variable, L.Edit) <
           std::tie(L.Calls, R.File, R.Scope, R.Variable, R.Edit);
  });
  return List;
}

/// "n in exchange, halo.c".
static std::string nameOf(const Hint &H, bool WithFile) {
  std::string Name = H.Variable;
  if (!H.Scope.empty())
    Name += " in " + H.Scope;
  if (WithFile)
    Name += ", " + sys::path::filename(H.File).str();
  return Name;
}

void printHints(ArrayRef<Hint> Hints, size_t Most, bool Files, unsigned Width, Style &S,
                raw_ostream &OS) {
  constexpr unsigned LongestName = 36, NumberWidth = 7, Gap = 2;
  if (Hints.empty())
    return;
  ArrayRef<Hint> Shown = Hints.take_front(Most);
  unsigned NameWidth = 12;
  for (const Hint &H : Shown)
    NameWidth = std::max(NameWidth, std::min(LongestName, displayWidth(nameOf(H, Files))));
  const unsigned Indent = NameWidth + NumberWidth + Gap;
  const unsigned TextWidth = std::max(Width, Indent + 24) - Indent;
  OS << '\n';
  S.cell(Style::Bold, "TO EDIT", NameWidth);
  S.cell(Style::Bold, "CALLS", NumberWidth, /*Right=*/true);
  S.write(Style::Bold, "  HOW, IF THE PROGRAM ALLOWS IT\n");
  for (const Hint &H : Shown) {
    std::string Name = nameOf(H, Files);
    S.cell(Style::Plain, Name, NameWidth);
    if (displayWidth(Name) > NameWidth)
      (OS << '\n').indent(NameWidth);
    S.cell(Style::Bold, std::to_string(H.Calls), NumberWidth, /*Right=*/true);
    for (auto [Index, Line] : enumerate(wrap(H.Edit + " [" + H.ID + "]", TextWidth)))
      OS.indent(Index ? Indent : Gap) << Line << '\n';
  }
  if (Hints.size() > Most)
    S.write(Style::Dim, "and " + std::to_string(Hints.size() - Most) + " more\n");
}

} // namespace mpispec
