//===- ReportText.cpp - Totals of a build as text ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Report/Report.h"
#include "Support/TextLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace mpispec {

namespace {

/// Prints the sections of one report, each after an empty line.
class Printer {
public:
  Printer(const Build &B, unsigned Width, raw_ostream &OS)
      : B(B), Totals(totalsOf(B)), Width(std::max(Width, 76u)), NameWidth(longestName()), S(OS),
        OS(OS) {}

  void print() {
    printHead();
    printFunctions();
    printTemplates();
    printMissed();
    printHints(Totals.Hints, MostHints, /*Files=*/true, Width, S, OS);
    printFallbacks();
    printShared();
    if (Totals.Known.SendRecv.Sites + Totals.Known.Allreduce.Sites > 0)
      OS << '\n';
    printRates(Totals.Known, S, OS);
  }

private:
  unsigned longestName() const;
  std::string worstFiles(const MissedTotal &M) const;
  void printHead();
  void printFunctions();
  void printCounts(Style::Ink Ink, StringRef Name, const SiteCounts &C);
  void printTemplates();
  void printMissed();
  void printFallbacks();
  void printShared();
  /// Prints name, number and a text that wraps in the remaining width.
  void printRow(Style::Ink Ink, StringRef Name, StringRef Number, StringRef Text);
  void printText(Style::Ink Ink, StringRef Text);

  const Build &B;
  BuildTotals Totals;
  unsigned Width, NameWidth;
  Style S;
  raw_ostream &OS;

  static constexpr unsigned NumberWidth = 7;
  static constexpr size_t MostHints = 20;
};

} // namespace

static std::string nameOf(const MissedTotal &M) {
  return M.Argument.empty() ? M.ID : M.ID + " (" + M.Argument + ")";
}

/// The width of the column that all sections begin with.
unsigned Printer::longestName() const {
  unsigned Longest = displayWidth("COMPILED WITHOUT MPISPEC");
  auto Consider = [&](StringRef Name) { Longest = std::max(Longest, displayWidth(Name)); };
  for (const auto &[Function, Counts] : Totals.ByFunction)
    Consider(Function);
  for (const auto &[Template, Number] : Totals.ByTemplate)
    Consider(Template);
  for (const MissedTotal &M : Totals.Missed)
    Consider(nameOf(M));
  for (const auto &[ID, Sources] : B.Fallbacks)
    Consider(ID);
  return Longest;
}

void Printer::printText(Style::Ink Ink, StringRef Text) {
  for (const std::string &Line : wrap(Text, Width)) {
    S.write(Ink, Line);
    OS << '\n';
  }
}

void Printer::printRow(Style::Ink Ink, StringRef Name, StringRef Number, StringRef Text) {
  S.cell(Ink, Name, NameWidth);
  S.cell(Ink, Number, NumberWidth, /*Right=*/true);
  bool First = true;
  for (const std::string &Line : wrap(Text, Width - NameWidth - NumberWidth - 2)) {
    OS.indent(First ? 2 : NameWidth + NumberWidth + 2);
    S.write(Ink, Line);
    OS << '\n';
    First = false;
  }
  if (First)
    OS << '\n';
}

void Printer::printHead() {
  size_t Unspecialised = 0;
  for (const auto &[ID, Sources] : B.Fallbacks)
    Unspecialised += Sources.size();
  std::string Text = counted(B.Units, "translation unit") + " with MPI calls";
  if (Unspecialised)
    Text += ", " + utostr(Unspecialised) + " of them compiled without mpispec";
  printText(Style::Bold, Text);
  Text = counted(Totals.All.all(), "call") + ": " +
         formsOf(Totals.All[CallForm::Inline], Totals.All[CallForm::Ordinary],
                 Totals.All[CallForm::Left]);
  if (Totals.Warnings)
    Text += "; " + counted(Totals.Warnings, "argument warning");
  printText(Style::Bold, Text);
}

void Printer::printCounts(Style::Ink Ink, StringRef Name, const SiteCounts &C) {
  S.cell(Ink, Name, NameWidth);
  S.cell(Ink, utostr(C.all()), NumberWidth, true);
  for (CallForm F : {CallForm::Inline, CallForm::Ordinary, CallForm::Left})
    S.cell(C[F] ? Ink : Style::Dim, C[F] ? utostr(C[F]) : "-", NumberWidth + 3, true);
  OS << '\n';
}

void Printer::printFunctions() {
  OS << '\n';
  S.cell(Style::Bold, "CALLS", NameWidth);
  S.cell(Style::Bold, "FOUND", NumberWidth, true);
  for (StringRef Head : {"INLINE", "ORDINARY", "LEFT"})
    S.cell(Style::Bold, Head, NumberWidth + 3, true);
  OS << '\n';
  std::vector<std::pair<std::string, SiteCounts>> Rows(Totals.ByFunction.begin(),
                                                       Totals.ByFunction.end());
  llvm::sort(Rows, MostFirst());
  for (const auto &[Function, Counts] : Rows)
    printCounts(Style::Plain, Function, Counts);
  printCounts(Style::Bold, "all", Totals.All);
}

void Printer::printTemplates() {
  if (Totals.ByTemplate.empty())
    return;
  OS << '\n';
  printRow(Style::Bold, "TEMPLATES", "CALLS", "");
  std::vector<std::pair<std::string, unsigned>> Rows(Totals.ByTemplate.begin(),
                                                     Totals.ByTemplate.end());
  llvm::sort(Rows, MostFirst());
  for (const auto &[Template, Number] : Rows)
    printRow(Style::Plain, Template, utostr(Number), "");
}

/// "halo.c (12), main.c (3), +4 files": the files that fit into one line, but at least one.
std::string Printer::worstFiles(const MissedTotal &M) const {
  const unsigned Columns = Width - NameWidth - NumberWidth - 2;
  std::string Text, More;
  for (size_t I = 0; I < M.Files.size(); ++I) {
    const auto &[File, Sites] = M.Files[I];
    std::string Longer =
        Text + (I ? ", " : "") + File + (Sites > 1 ? " (" + utostr(Sites) + ")" : "");
    size_t Rest = M.Files.size() - I - 1;
    std::string LongerMore = Rest ? ", +" + counted(Rest, "file") : "";
    if (I && displayWidth(Longer + LongerMore) > Columns)
      break;
    Text = std::move(Longer);
    More = std::move(LongerMore);
  }
  return Text + More;
}

void Printer::printMissed() {
  if (Totals.Missed.empty())
    return;
  OS << '\n';
  printRow(Style::Bold, "MISSED", "CALLS", "MOST IN");
  for (const MissedTotal &M : Totals.Missed)
    printRow(Style::Plain, nameOf(M), utostr(M.Sites), worstFiles(M));
}

void Printer::printFallbacks() {
  if (B.Fallbacks.empty())
    return;
  OS << '\n';
  printRow(Style::Bold, "COMPILED WITHOUT MPISPEC", "UNITS", "");
  for (const auto &[ID, Sources] : B.Fallbacks)
    printRow(Style::Plain, ID, utostr(Sources.size()), join(Sources, ", "));
}

void Printer::printShared() {
  constexpr size_t Shown = 10;
  std::vector<const BuildSite *> Shared;
  for (const BuildSite &Site : B.Sites)
    if (Site.Units > 1)
      Shared.push_back(&Site);
  if (Shared.empty())
    return;
  OS << '\n';
  printRow(Style::Bold, "SEEN FROM SEVERAL UNITS", "UNITS", "counted once above");
  for (const BuildSite *Site : ArrayRef(Shared).take_front(Shown)) {
    const SiteRecord &R = Site->Record;
    printRow(Style::Plain, R.File + ":" + utostr(R.Line) + ":" + utostr(R.Column),
             utostr(Site->Units), R.Callee);
  }
  if (Shared.size() > Shown)
    printText(Style::Dim, "and " + counted(Shared.size() - Shown, "call") + " more");
}

void printBuild(const Build &B, unsigned Width, raw_ostream &OS) { Printer(B, Width, OS).print(); }

} // namespace mpispec
