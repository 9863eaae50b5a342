//===- Explain.cpp - Facts about each call, as a table ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry has a head (place, call, template, enclosing function) and details. The details begin
// with the mistakes. The form, or the reason why the call is ordinary, follows. Each fact then has
// a line. Unknown arguments and missed facts come last. The end of the table lists the edits, by
// variable (Hints.h). A wide terminal shows head and details side by side:
//
//   PLACE        CALL      TEMPLATE  WHAT IS KNOWN, AND FROM WHERE
//   halo.c:41:5  MPI_Send  Send      form      inline
//     exchange                       datatype  MPI_DOUBLE  macro MPI_DOUBLE
//                                    count     1           literal
//
// A narrow one shows the details below the head.
//
//===------------------------------------------------------------------------------------------===//
#include "Report/Explain.h"
#include "Report/Hints.h"
#include "Report/Rates.h"
#include "Report/SiteKnowledge.h"
#include "Report/SiteRemarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <numeric>

using namespace llvm;

namespace mpispec {

std::vector<unsigned> orderByPlace(ArrayRef<CallSite> Sites) {
  std::vector<unsigned> Order(Sites.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::sort(Order, [&](unsigned A, unsigned B) {
    const CallSite &L = Sites[A], &R = Sites[B];
    return std::tie(L.File, L.Line, L.Column, L.Number) <
           std::tie(R.File, R.Line, R.Column, R.Number);
  });
  return Order;
}

namespace {

/// A piece of a line.
struct Span {
  Style::Ink Ink;
  std::string Text;
  unsigned Width = 0; ///< at least
};
using Line = std::vector<Span>;

/// The output about one site.
struct Entry {
  std::string Place, Call, Template, Function;
  Style::Ink Ink = Style::Plain; ///< the template's ink: the form of the site
  std::vector<NamedFact> Facts;
  std::string Ordinary;                                    ///< why the call is an ordinary one
  std::string Unknown;                                     ///< keys of unknown facts
  std::vector<std::pair<std::string, std::string>> Missed; ///< remark ID and problem
  std::vector<std::string> Warnings;
};

/// Column widths that fit all entries and the headings.
struct Widths {
  unsigned Place = 5, Call = 4, Template = 8, Key = 8, Value = 0, Detail = 0;
  bool SideBySide = false;
  bool OneLineHead = true; ///< in the narrow layout

  Widths(ArrayRef<Entry> Entries, unsigned Width);
  unsigned head() const { return Place + Call + Template + 3 * Gap; }

  static constexpr unsigned Gap = 2;       ///< between columns
  static constexpr unsigned Indent = 4;    ///< columns of details below their head
  static constexpr unsigned Readable = 60; ///< details narrower than this go below
};

} // namespace

/// Like text(), but without bounds that follow from the type int.
static std::string shown(const Answer &A) {
  if (A.K == Answer::Range && !A.isBoundedAbove())
    return ">= " + itostr(A.Low);
  if (A.K == Answer::Range && !A.isBoundedBelow())
    return "<= " + itostr(A.High);
  return text(A);
}

Widths::Widths(ArrayRef<Entry> Entries, unsigned Width) {
  constexpr unsigned LongestValue = 24;
  for (const Entry &E : Entries) {
    Place = std::max(Place, displayWidth(E.Place));
    Call = std::max(Call, displayWidth(E.Call));
    Template = std::max(Template, displayWidth(E.Template));
    for (const NamedFact &F : E.Facts) {
      Key = std::max(Key, displayWidth(F.Key));
      Value = std::max(Value, std::min(LongestValue, displayWidth(shown(F.Value))));
    }
  }
  SideBySide = Width >= head() + Readable;
  OneLineHead = Width >= head() - Gap;
  Detail = SideBySide ? Width - head() : std::max(Width, 2 * Indent + Key + 16) - Indent;
}

static Style::Ink inkOf(CallForm F) {
  switch (F) {
  case CallForm::Inline:
    return Style::Good;
  case CallForm::Ordinary:
    return Style::Middling;
  case CallForm::Left:
    return Style::Bad;
  }
  llvm_unreachable("unknown form of a call");
}

static Entry makeEntry(const CallSite &Site, const SiteFacts &Facts, const Choice &C) {
  Entry E;
  E.Place = Site.File + ":" + utostr(Site.Line) + ":" + utostr(Site.Column);
  E.Call = Site.Callee;
  E.Template = C.Form == CallForm::Inline     ? C.Template
               : C.Form == CallForm::Ordinary ? "ordinary"
                                              : "left as it is";
  E.Function = Site.EnclosingFunction;
  E.Ink = inkOf(C.Form);
  E.Ordinary = C.WhyOrdinary;
  if (C.Form == CallForm::Inline)
    E.Facts.push_back({"form", {Answer::Handle, 0, 0, text(C.Form).str(), "", ""}});
  std::vector<NamedPrediction> Likely = namedPredictions(Site, Facts);
  for (NamedFact &F : namedFacts(Site, Facts)) {
    if (F.Value.K != Answer::Unknown)
      E.Facts.push_back(std::move(F));
    else if (none_of(Likely, [&](const NamedPrediction &P) { return P.Key == F.Key; }))
      E.Unknown += (E.Unknown.empty() ? "" : ", ") + F.Key;
  }
  for (NamedPrediction &P : Likely) {
    Answer Shown;
    Shown.K = Answer::Handle;
    Shown.Name = "perhaps " + text(P.Value);
    Shown.Origin = "predicted, " + utostr(P.Percent) + " %: " + P.Value.Origin;
    E.Facts.push_back({P.Key, std::move(Shown)});
  }
  for (const MissedFact &M : C.Missed)
    E.Missed.push_back({text(M.Remark).str(), M.problem().str()});
  for (const ArgumentWarning &W : Facts.Warnings)
    E.Warnings.push_back(W.Message);
  return E;
}

/// A labelled text that wraps beside its label.
static void addText(std::vector<Line> &Lines, StringRef Label, Style::Ink Ink, StringRef Text,
                    Style::Ink TextInk, const Widths &W) {
  unsigned LabelWidth = W.Key + Widths::Gap;
  for (const std::string &Piece : wrap(Text, W.Detail - LabelWidth)) {
    Lines.push_back({{Ink, Label.str(), LabelWidth}, {TextInk, Piece}});
    Label = "";
  }
}

static void addFact(std::vector<Line> &Lines, const NamedFact &F, const Widths &W) {
  unsigned KeyWidth = W.Key + Widths::Gap, ValueWidth = W.Value + Widths::Gap;
  std::string Value = shown(F.Value);
  bool Decides = StringRef(F.Key).ends_with("size") || StringRef(F.Key).ends_with("node");
  Line First = {{Style::Plain, F.Key, KeyWidth},
                {Decides ? Style::Good : Style::Bold, Value, ValueWidth}};
  unsigned Used = KeyWidth + std::max(ValueWidth, displayWidth(Value) + Widths::Gap);
  unsigned Left = W.Detail > Used + 12 ? W.Detail - Used : 12;
  std::vector<std::string> Origin = wrap(F.Value.Origin, Left);
  for (const std::string &Piece : Origin) {
    if (First.empty())
      First = {{Style::Plain, "", Used}};
    First.push_back({Style::Dim, Piece});
    Lines.push_back(std::exchange(First, {}));
  }
  if (Origin.empty())
    Lines.push_back(First);
}

static std::vector<Line> details(const Entry &E, const Widths &W) {
  std::vector<Line> Lines;
  for (const std::string &Text : E.Warnings)
    addText(Lines, "warning", Style::Bad, Text, Style::Bold, W);
  if (!E.Ordinary.empty())
    addText(Lines, "because", Style::Middling, E.Ordinary, Style::Plain, W);
  for (const NamedFact &F : E.Facts)
    addFact(Lines, F, W);
  if (!E.Unknown.empty())
    addText(Lines, "unknown", Style::Dim, E.Unknown, Style::Dim, W);
  for (const auto &[ID, Text] : E.Missed)
    addText(Lines, "missed", Style::Middling, Text + " [" + ID + "]", Style::Plain, W);
  return Lines;
}

/// Writes a line without blanks at its end.
static void printLine(const Line &L, Style &S, raw_ostream &OS) {
  for (const Span &Piece : L)
    S.cell(Piece.Ink, Piece.Text, &Piece == &L.back() ? 0 : Piece.Width);
  OS << '\n';
}

/// Prints place, call and template in one line, or in separate lines if paths are long.
static void printBelow(const Entry &E, const Widths &W, Style &S, raw_ostream &OS) {
  std::vector<Line> Lines;
  const unsigned LabelWidth = W.Key + Widths::Gap;
  if (W.OneLineHead)
    printLine({{Style::Bold, E.Place, W.Place + Widths::Gap},
               {Style::Plain, E.Call, W.Call + Widths::Gap},
               {E.Ink, E.Template}},
              S, OS);
  else {
    printLine({{Style::Bold, E.Place}}, S, OS);
    Lines.push_back({{Style::Plain, "call", LabelWidth}, {Style::Plain, E.Call}});
    Lines.push_back({{Style::Plain, "template", LabelWidth}, {E.Ink, E.Template}});
  }
  if (!E.Function.empty())
    Lines.push_back({{Style::Dim, "in", LabelWidth}, {Style::Dim, E.Function}});
  for (Line &L : details(E, W))
    Lines.push_back(std::move(L));
  for (Line &L : Lines) {
    L.insert(L.begin(), {Style::Plain, "", Widths::Indent});
    printLine(L, S, OS);
  }
}

/// The end of a name that is too long for \p Width columns. The end is shown because it contains
/// the innermost scopes.
static std::string lastPart(StringRef Name, size_t Width) {
  return Name.size() <= Width ? Name.str() : ("..." + Name.take_back(Width - 3)).str();
}

static void printBeside(const Entry &E, const Widths &W, Style &S, raw_ostream &OS) {
  std::vector<Line> Heads = {{{Style::Bold, E.Place, W.Place + Widths::Gap},
                              {Style::Plain, E.Call, W.Call + Widths::Gap},
                              {E.Ink, E.Template, W.Template + Widths::Gap}}};
  if (!E.Function.empty())
    Heads.push_back(
        {{Style::Dim, "  " + lastPart(E.Function, W.head() - 2 * Widths::Gap), W.head()}});
  std::vector<Line> Details = details(E, W);
  for (size_t I = 0, N = std::max(Heads.size(), Details.size()); I < N; ++I) {
    Line L = I < Heads.size() ? Heads[I] : Line{{Style::Plain, "", W.head()}};
    if (I < Details.size())
      L.insert(L.end(), Details[I].begin(), Details[I].end());
    printLine(L, S, OS);
  }
}

static void printEntries(ArrayRef<Entry> Entries, unsigned Width, Style &S, raw_ostream &OS) {
  Widths W(Entries, Width);
  if (W.SideBySide && !Entries.empty())
    printLine({{Style::Bold, "PLACE", W.Place + Widths::Gap},
               {Style::Bold, "CALL", W.Call + Widths::Gap},
               {Style::Bold, "TEMPLATE", W.Template + Widths::Gap},
               {Style::Bold, "WHAT IS KNOWN, AND FROM WHERE"}},
              S, OS);
  for (const Entry &E : Entries) {
    W.SideBySide ? printBeside(E, W, S, OS) : printBelow(E, W, S, OS);
    OS << '\n';
  }
}

static void printTotals(ArrayRef<SiteRecord> Records, unsigned Width, Style &S, raw_ostream &OS) {
  auto Say = [&](Style::Ink Ink, const Twine &Text) {
    for (const std::string &Piece : wrap(Text.str(), Width))
      printLine({{Ink, Piece}}, S, OS);
  };
  if (Records.empty())
    return Say(Style::Bold, "no call that sends, receives, completes or synchronises");
  unsigned Of[3] = {};
  std::map<std::string, unsigned> Blocked;
  for (const SiteRecord &R : Records) {
    ++Of[static_cast<unsigned>(R.Form)];
    for (const SiteRecord::Miss &M : R.Missed)
      ++Blocked[text(M.ID).str()];
  }
  Say(Style::Bold, counted(Records.size(), "call") + ": " + formsOf(Of[0], Of[1], Of[2]));
  if (!Blocked.empty())
    Say(Style::Middling, "Blocked by: " + listed(Blocked) + "; docs/Remarks.md explains each");
}

void printTable(ArrayRef<CallSite> Sites, ArrayRef<SiteFacts> Facts, ArrayRef<Choice> Choices,
                unsigned Width, raw_ostream &OS) {
  Style S(OS);
  std::vector<SiteRecord> Records = siteRecords(toRemarks(Sites, Facts, Choices));
  Rates R;
  Hints ToEdit;
  for (const SiteRecord &Record : Records) {
    R.add(Record);
    ToEdit.add(Record);
  }
  std::vector<Entry> Entries;
  for (unsigned I : orderByPlace(Sites))
    Entries.push_back(makeEntry(Sites[I], Facts[I], Choices[I]));
  printEntries(Entries, Width, S, OS);
  printTotals(Records, Width, S, OS);
  printHints(ToEdit.list(), /*Most=*/1000, /*Files=*/false, Width, S, OS);
  if (R.SendRecv.Sites + R.Allreduce.Sites > 0)
    OS << '\n';
  printRates(R, S, OS);
}

} // namespace mpispec
