//===- ProfileComparison.cpp - Two runs, site by site -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Profile/ProfileComparison.h"
#include "Profile/ProfileUnits.h"
#include "Support/TextLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;

namespace mpispec {

//===- Rows ----------------------------------------------------------------------------------===//

static void add(SideOfRow &To, const RunSite &Site) {
  To.Sites.push_back(&Site);
  To.Calls += Site.Calls;
  To.Bytes += Site.Bytes;
  To.Time += Site.Time;
  To.Waiting += Site.Waiting;
  std::vector<double> Ranks(Site.Ranks.size());
  for (const RunSite *Each : To.Sites)
    for (size_t R = 0; R < Ranks.size(); ++R)
      Ranks[R] += Each->Ranks[R].Time;
  double Most = Ranks.empty() ? 0 : *llvm::max_element(Ranks);
  To.Imbalance = To.Time > 0 ? Most * double(Ranks.size()) / To.Time : 1;
}

/// Joins rows that only one run has, where function and surrounding function leave one way.
static void joinMoved(std::vector<ComparedSite> &Rows) {
  std::map<std::pair<std::string, std::string>, std::pair<std::vector<size_t>, std::vector<size_t>>>
      Left;
  for (size_t I = 0; I < Rows.size(); ++I) {
    const std::vector<const RunSite *> &Old = Rows[I].Before.Sites, &New = Rows[I].After.Sites;
    if (!Old.empty() && !New.empty())
      continue;
    auto &Pair = Left[{(Old.empty() ? New : Old).front()->Within, Rows[I].Function}];
    (Old.empty() ? Pair.second : Pair.first).push_back(I);
  }
  std::vector<size_t> Joined;
  for (const auto &[Key, Pair] : Left) {
    const auto &[Old, New] = Pair;
    if (Key.first.empty() || Old.size() != 1 || New.size() != 1)
      continue;
    Rows[New[0]].Before = Rows[Old[0]].Before;
    Joined.push_back(Old[0]);
  }
  llvm::sort(Joined, std::greater<size_t>());
  for (size_t I : Joined)
    Rows.erase(Rows.begin() + ptrdiff_t(I));
}

std::vector<ComparedSite> compareSites(const RunProfile &Before, const RunProfile &After) {
  std::map<std::pair<std::string, std::string>, ComparedSite> ByName;
  auto Add = [&](const RunProfile &Run, SideOfRow ComparedSite::*Side) {
    for (const RunSite &Site : Run.Sites) {
      ComparedSite &Row = ByName[{Site.place(), Site.Function}];
      Row.Place = Site.place();
      Row.Function = Site.Function;
      Row.Name = Site.name();
      add(Row.*Side, Site);
    }
  };
  Add(Before, &ComparedSite::Before);
  Add(After, &ComparedSite::After);
  std::vector<ComparedSite> Rows;
  for (auto &[Name, Row] : ByName)
    Rows.push_back(std::move(Row));
  joinMoved(Rows);
  llvm::sort(Rows, [](const ComparedSite &L, const ComparedSite &R) {
    double Left = std::max(L.Before.Time, L.After.Time),
           Right = std::max(R.Before.Time, R.After.Time);
    return std::tie(Right, L.Place, L.Function) < std::tie(Left, R.Place, R.Function);
  });
  return Rows;
}

//===- Advice --------------------------------------------------------------------------------===//

namespace {
struct ComparedAdvice {
  const char *State; ///< "gone", "still" or "new"
  Advice Text;
};
} // namespace

/// Advice is the same in both runs if its ID and its place's function are; lines may have moved.
static std::vector<ComparedAdvice> compareAdvice(const RunProfile &Before,
                                                 const RunProfile &After) {
  std::vector<Advice> Old = adviceFor(Before), New = adviceFor(After);
  auto IsIn = [](ArrayRef<Advice> All, const Advice &A) {
    return any_of(All, [&](const Advice &B) { return A.ID == B.ID && A.Place == B.Place; });
  };
  std::vector<ComparedAdvice> Result;
  for (Advice &A : New)
    Result.push_back({IsIn(Old, A) ? "still" : "new", A});
  for (Advice &A : Old)
    if (!IsIn(New, A))
      Result.push_back({"gone", std::move(A)});
  return Result;
}

//===- Text ----------------------------------------------------------------------------------===//

static double longestTime(const RunProfile &Run) {
  double Longest = 0;
  for (const RankOfRun &R : Run.Ranks)
    Longest = std::max(Longest, R.Time);
  return Longest;
}

static void printRun(StringRef Name, const RunProfile &Run, Style &S, raw_ostream &OS) {
  S.cell(Style::Bold, Name, 8);
  OS << formatv("{0}: {1}: {2}, {3}; in MPI {4} % of the time, waiting {5} %\n", Run.Directory,
                sys::path::filename(Run.Program), counted(Run.Ranks.size(), "rank"),
                secondsText(longestTime(Run)), percentText(Run.InMPI, Run.Time),
                percentText(Run.Waiting, Run.Time));
  for (const std::string &Complaint : Run.Complaints) {
    S.write(Style::Bad, "note: ");
    OS << Complaint << '\n';
  }
}

/// How much of the time before is left, in words; the sign shows the direction.
static std::string changeText(const SideOfRow &Before, const SideOfRow &After) {
  if (Before.Sites.empty())
    return "new";
  if (After.Sites.empty())
    return "gone";
  return Before.Time > 0 ? formatv("{0:F1} %", 100 * (After.Time / Before.Time - 1)).str() : "-";
}

static std::string cellOf(const SideOfRow &Side, const Twine &Text) {
  return Side.Sites.empty() ? "-" : Text.str();
}

static void printRows(const RunProfile &Before, const RunProfile &After, size_t Most, Style &S,
                      raw_ostream &OS) {
  std::vector<ComparedSite> Rows = compareSites(Before, After);
  unsigned Place = 4, Function = 8;
  for (const ComparedSite &Row : ArrayRef(Rows).take_front(Most)) {
    Place = std::max(Place, displayWidth(Row.Place));
    Function = std::max(Function, displayWidth(Row.Name));
  }
  static constexpr std::pair<StringLiteral, unsigned> Columns[] = {
      {"CALLS", 10}, {"THEN", 10},  {"TIME", 11}, {"THEN", 11},     {"CHANGE", 10}, {"RUN %", 7},
      {"THEN", 7},   {"WAIT %", 8}, {"THEN", 7},  {"MAX/MEAN", 10}, {"THEN", 7}};
  OS << '\n';
  S.cell(Style::Dim, "SITE", Place + 2);
  S.cell(Style::Dim, "FUNCTION", Function);
  for (const auto &[Title, Width] : Columns)
    S.cell(Style::Dim, Title, Width, /*Right=*/true);
  OS << '\n';
  for (const ComparedSite &Row : ArrayRef(Rows).take_front(Most)) {
    const SideOfRow &Old = Row.Before, &New = Row.After;
    std::string Cells[] = {cellOf(Old, Twine(Old.Calls)),
                           cellOf(New, Twine(New.Calls)),
                           cellOf(Old, secondsText(Old.Time)),
                           cellOf(New, secondsText(New.Time)),
                           changeText(Old, New),
                           cellOf(Old, percentText(Old.Time, Before.Time)),
                           cellOf(New, percentText(New.Time, After.Time)),
                           cellOf(Old, percentText(Old.Waiting, Old.Time)),
                           cellOf(New, percentText(New.Waiting, New.Time)),
                           cellOf(Old, formatv("{0:F2}", Old.Imbalance).str()),
                           cellOf(New, formatv("{0:F2}", New.Imbalance).str())};
    pad(OS, Row.Place, Place + 2);
    pad(OS, Row.Name, Function);
    for (auto [Cell, Column] : zip_equal(Cells, Columns))
      pad(OS, Cell, Column.second, /*Right=*/true);
    OS << '\n';
  }
  if (Rows.size() > Most)
    OS << formatv("and {0} more (--sites=N)\n", counted(Rows.size() - Most, "site"));
}

void printComparison(const RunProfile &Before, const RunProfile &After, unsigned Width,
                     size_t MostSites, raw_ostream &OS) {
  Style S(OS);
  printRun("before", Before, S, OS);
  printRun("then", After, S, OS);
  printRows(Before, After, MostSites, S, OS);
  if (longestTime(Before) > 0)
    OS << formatv("\nthe run takes {0:F3} of its time before\n",
                  longestTime(After) / longestTime(Before));
  std::vector<ComparedAdvice> All = compareAdvice(Before, After);
  if (All.empty())
    return;
  OS << '\n';
  S.write(Style::Dim, "WHAT TO DO\n");
  for (const ComparedAdvice &A : All) {
    StringRef Indent = "- ";
    for (const std::string &Line :
         wrap(formatv("{0}: {1}: {2} [{3}]", A.State, A.Text.Place, A.Text.Text, A.Text.ID).str(),
              std::max(Width, 60u) - 2)) {
      OS << Indent << Line << '\n';
      Indent = "  ";
    }
  }
}

//===- CSV and JSON --------------------------------------------------------------------------===//

void printComparisonCSV(const RunProfile &Before, const RunProfile &After, raw_ostream &OS) {
  OS << "place,function,calls_before,calls,bytes_before,bytes,seconds_before,seconds,"
        "waiting_before,waiting,imbalance_before,imbalance\n";
  for (const ComparedSite &Row : compareSites(Before, After)) {
    const SideOfRow &Old = Row.Before, &New = Row.After;
    OS << formatv("{0},{1},{2},{3},{4},{5},{6:F9},{7:F9},{8:F9},{9:F9},{10:F3},{11:F3}\n",
                  csvField(Row.Place), Row.Function, Old.Calls, New.Calls, Old.Bytes, New.Bytes,
                  Old.Time, New.Time, Old.Waiting, New.Waiting, Old.Imbalance, New.Imbalance);
  }
}

static json::Object valueOf(const RunProfile &Run) {
  return json::Object{{"directory", json::fixUTF8(Run.Directory)},
                      {"program", json::fixUTF8(Run.Program)},
                      {"ranks", Run.Ranks.size()},
                      {"longest", longestTime(Run)},
                      {"seconds", Run.Time},
                      {"in_mpi", Run.InMPI},
                      {"waiting", Run.Waiting}};
}

static json::Object valueOf(const SideOfRow &Side) {
  return json::Object{{"calls", Side.Calls},
                      {"bytes", Side.Bytes},
                      {"seconds", Side.Time},
                      {"waiting", Side.Waiting},
                      {"imbalance", Side.Imbalance}};
}

json::Object comparisonValue(const RunProfile &Before, const RunProfile &After) {
  json::Array Sites, All;
  for (const ComparedSite &Row : compareSites(Before, After))
    Sites.push_back(json::Object{{"place", json::fixUTF8(Row.Place)},
                                 {"function", Row.Function},
                                 {"before", valueOf(Row.Before)},
                                 {"after", valueOf(Row.After)}});
  for (const ComparedAdvice &A : compareAdvice(Before, After))
    All.push_back(json::Object{{"id", A.Text.ID},
                               {"place", json::fixUTF8(A.Text.Place)},
                               {"text", json::fixUTF8(A.Text.Text)},
                               {"state", A.State}});
  return json::Object{{"schema", "mpispec-profile-comparison/1"},
                      {"before", valueOf(Before)},
                      {"after", valueOf(After)},
                      {"sites", std::move(Sites)},
                      {"advice", std::move(All)}};
}

} // namespace mpispec
