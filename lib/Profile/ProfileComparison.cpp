//===- ProfileComparison.cpp - Two runs, site by site -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Profile/ProfileComparison.h"
#include "Profile/CallPaths.h"
#include "Profile/ProfileUnits.h"
#include "Support/TextLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;

namespace mpispec {

//===- Rows ----------------------------------------------------------------------------------===//

double SideOfRow::imbalance() const {
  double Most = Ranks.empty() ? 0 : *llvm::max_element(Ranks);
  return Time > 0 ? Most * double(Ranks.size()) / Time : 1;
}

static SideOfRow sideOf(const RunSite &Site) {
  SideOfRow Side{1, Site.Calls, Site.Bytes, Site.Time, Site.Waiting, {}};
  for (const SiteOfRank &R : Site.Ranks)
    Side.Ranks.push_back(R.Time);
  return Side;
}

static SideOfRow sideOf(const RunPath &Path) {
  return {1, Path.Calls, Path.Bytes, Path.Time, Path.Waiting, {}};
}

static void add(SideOfRow &To, const SideOfRow &Part) {
  To.Joined += Part.Joined;
  To.Calls += Part.Calls;
  To.Bytes += Part.Bytes;
  To.Time += Part.Time;
  To.Waiting += Part.Waiting;
  To.Ranks.resize(std::max(To.Ranks.size(), Part.Ranks.size()));
  for (size_t R = 0; R < Part.Ranks.size(); ++R)
    To.Ranks[R] += Part.Ranks[R];
}

/// Joins a row that only the earlier run has with one that only the later run has. Both must have
/// the same MPI function and the same functions around the call. If one of the runs has several
/// such rows, none of them is joined.
static void joinMoved(std::vector<ComparedRow> &Rows) {
  std::map<std::pair<std::string, std::string>, std::pair<std::vector<size_t>, std::vector<size_t>>>
      Left;
  for (size_t I = 0; I < Rows.size(); ++I) {
    bool IsOld = Rows[I].Before.Joined;
    if (IsOld && Rows[I].After.Joined)
      continue;
    auto &Pair = Left[{Rows[I].Around, Rows[I].Function}];
    (IsOld ? Pair.first : Pair.second).push_back(I);
  }
  std::vector<size_t> Joined;
  for (const auto &[Key, Pair] : Left) {
    const auto &[Old, New] = Pair;
    if (Key.first.empty() || Old.size() != 1 || New.size() != 1)
      continue;
    Rows[New[0]].Before = Rows[Old[0]].Before;
    Rows[New[0]].PlaceBefore = Rows[Old[0]].Place;
    Joined.push_back(Old[0]);
  }
  llvm::sort(Joined, std::greater<size_t>());
  for (size_t I : Joined)
    Rows.erase(Rows.begin() + ptrdiff_t(I));
}

namespace {
/// Collects the rows of both runs, before those that moved are joined.
class RowsByName {
public:
  void add(ComparedRow Row, SideOfRow ComparedRow::*Side, const SideOfRow &Part) {
    std::tuple Key(Row.Place, Row.Frames, Row.Function);
    ComparedRow &Old = Rows.try_emplace(std::move(Key), std::move(Row)).first->second;
    mpispec::add(Old.*Side, Part);
  }
  std::vector<ComparedRow> joined() const;

private:
  std::map<std::tuple<std::string, std::vector<std::string>, std::string>, ComparedRow> Rows;
};
} // namespace

/// The rows, sorted by the longer time of the two runs, longest first.
std::vector<ComparedRow> RowsByName::joined() const {
  std::vector<ComparedRow> Result;
  for (const auto &[Name, Row] : Rows)
    Result.push_back(Row);
  joinMoved(Result);
  llvm::sort(Result, [](const ComparedRow &L, const ComparedRow &R) {
    double Left = std::max(L.Before.Time, L.After.Time),
           Right = std::max(R.Before.Time, R.After.Time);
    return std::tie(Right, L.Place, L.Frames, L.Function) <
           std::tie(Left, R.Place, R.Frames, R.Function);
  });
  return Result;
}

std::vector<ComparedRow> compareSites(const RunProfile &Before, const RunProfile &After) {
  RowsByName Rows;
  auto Add = [&](const RunProfile &Run, SideOfRow ComparedRow::*Side) {
    for (const RunSite &Site : Run.Sites) {
      ComparedRow Row;
      Row.Place = Site.place();
      Row.Function = Site.Function;
      Row.Name = Site.name();
      Row.Around = Site.Within;
      Rows.add(std::move(Row), Side, sideOf(Site));
    }
  };
  Add(Before, &ComparedRow::Before);
  Add(After, &ComparedRow::After);
  return Rows.joined();
}

/// The functions of \p Frames from the call outwards; empty if one of them has no name.
static std::string functionsOf(ArrayRef<RunFrame> Frames) {
  std::string Functions;
  for (const RunFrame &F : Frames) {
    if (F.Function.empty())
      return "";
    Functions += F.Function + ";";
  }
  return Functions;
}

std::vector<ComparedRow> comparePaths(const RunProfile &Before, const RunProfile &After) {
  RowsByName Rows;
  const size_t Most = std::min(Before.Frames, After.Frames);
  auto Add = [&](const RunProfile &Run, SideOfRow ComparedRow::*Side) {
    for (const RunPath &Path : Run.Paths) {
      ComparedRow Row;
      ArrayRef<RunFrame> Frames = ArrayRef(Path.Frames).take_front(1 + Most);
      for (const RunFrame &F : Frames)
        Row.Frames.push_back(labelOf(F));
      Row.Function = Path.Function;
      Row.Name = Path.name();
      Row.Around = functionsOf(Frames);
      Rows.add(std::move(Row), Side, sideOf(Path));
    }
  };
  if (!Most)
    return {};
  Add(Before, &ComparedRow::Before);
  Add(After, &ComparedRow::After);
  return Rows.joined();
}

//===- Advice --------------------------------------------------------------------------------===//

namespace {
struct ComparedAdvice {
  const char *State; ///< "gone", "still" or "new"
  Advice Text;
};
} // namespace

/// Advice is the same in both runs if its ID and its call are equal. \p Sites are the compared
/// sites. They contain the new place of a call whose line has moved.
static std::vector<ComparedAdvice> compareAdvice(const RunProfile &Before, const RunProfile &After,
                                                 ArrayRef<ComparedRow> Sites) {
  std::vector<Advice> Old = adviceFor(Before), New = adviceFor(After);
  for (Advice &A : Old) {
    const auto *Moved =
        find_if(Sites, [&](const ComparedRow &Row) { return Row.PlaceBefore == A.Place; });
    const bool StaysToo = any_of(
        Sites, [&](const ComparedRow &Row) { return Row.Place == A.Place && Row.Before.Joined; });
    if (Moved != Sites.end() && !A.Place.empty() && !StaysToo)
      A.Place = Moved->Place;
  }
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

/// The change of the time from the first run to the second, in percent; negative if the second is
/// shorter. The result is "new" or "gone" if only one run has the row.
static std::string changeText(const SideOfRow &Before, const SideOfRow &After) {
  if (!Before.Joined)
    return "new";
  if (!After.Joined)
    return "gone";
  return Before.Time > 0 ? formatv("{0:F1} %", 100 * (After.Time / Before.Time - 1)).str() : "-";
}

static std::string cellOf(const SideOfRow &Side, const Twine &Text) {
  return Side.Joined ? Text.str() : "-";
}

static constexpr std::pair<StringLiteral, unsigned> Columns[] = {
    {"CALLS", 10}, {"THEN", 10},  {"TIME", 11}, {"THEN", 11},     {"CHANGE", 10}, {"RUN %", 7},
    {"THEN", 7},   {"WAIT %", 8}, {"THEN", 7},  {"MAX/MEAN", 10}, {"THEN", 7}};
/// Paths have no times by rank. Therefore they have no columns MAX/MEAN.
static constexpr size_t ColumnsOfPaths = std::size(Columns) - 2;

static void printTitles(size_t Count, Style &S) {
  for (const auto &[Title, Width] : ArrayRef(Columns).take_front(Count))
    S.cell(Style::Dim, Title, Width, /*Right=*/true);
}

static void printCells(const ComparedRow &Row, size_t Count, const RunProfile &Before,
                       const RunProfile &After, raw_ostream &OS) {
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
                         cellOf(Old, formatv("{0:F2}", Old.imbalance()).str()),
                         cellOf(New, formatv("{0:F2}", New.imbalance()).str())};
  for (size_t I = 0; I < Count; ++I)
    pad(OS, Cells[I], Columns[I].second, /*Right=*/true);
}

static void printMore(size_t Rows, size_t Most, StringRef What, raw_ostream &OS) {
  if (Rows > Most)
    OS << formatv("and {0} more (--sites=N)\n", counted(Rows - Most, What));
}

static void printSites(ArrayRef<ComparedRow> Rows, const RunProfile &Before,
                       const RunProfile &After, size_t Most, Style &S, raw_ostream &OS) {
  unsigned Place = 4, Function = 8;
  for (const ComparedRow &Row : Rows.take_front(Most)) {
    Place = std::max(Place, displayWidth(Row.Place));
    Function = std::max(Function, displayWidth(Row.Name));
  }
  OS << '\n';
  S.cell(Style::Dim, "SITE", Place + 2);
  S.cell(Style::Dim, "FUNCTION", Function);
  printTitles(std::size(Columns), S);
  OS << '\n';
  for (const ComparedRow &Row : ArrayRef(Rows).take_front(Most)) {
    pad(OS, Row.Place, Place + 2);
    pad(OS, Row.Name, Function);
    printCells(Row, std::size(Columns), Before, After, OS);
    OS << '\n';
  }
  printMore(Rows.size(), Most, "site", OS);
}

static void printPaths(const RunProfile &Before, const RunProfile &After, size_t Most, Style &S,
                       raw_ostream &OS) {
  std::vector<ComparedRow> Rows = comparePaths(Before, After);
  if (Rows.empty())
    return;
  OS << '\n';
  printTitles(ColumnsOfPaths, S);
  OS << "  ";
  S.write(Style::Dim, "CALL PATH");
  OS << '\n';
  for (const ComparedRow &Row : ArrayRef(Rows).take_front(Most)) {
    printCells(Row, ColumnsOfPaths, Before, After, OS);
    OS << "  " << (Row.Frames.empty() ? "(other paths)" : Row.Name);
    for (const std::string &Frame : Row.Frames)
      OS << " < " << Frame;
    OS << '\n';
  }
  printMore(Rows.size(), Most, "path", OS);
}

void printComparison(const RunProfile &Before, const RunProfile &After, unsigned Width,
                     size_t MostSites, raw_ostream &OS) {
  Style S(OS);
  printRun("before", Before, S, OS);
  printRun("then", After, S, OS);
  const std::vector<ComparedRow> Sites = compareSites(Before, After);
  printSites(Sites, Before, After, MostSites, S, OS);
  printPaths(Before, After, MostSites, S, OS);
  if (longestTime(Before) > 0)
    OS << formatv("\nthe run takes {0:F3} of its time before\n",
                  longestTime(After) / longestTime(Before));
  std::vector<ComparedAdvice> All = compareAdvice(Before, After, Sites);
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
  for (const ComparedRow &Row : compareSites(Before, After)) {
    const SideOfRow &Old = Row.Before, &New = Row.After;
    OS << formatv("{0},{1},{2},{3},{4},{5},{6:F9},{7:F9},{8:F9},{9:F9},{10:F3},{11:F3}\n",
                  csvField(Row.Place), Row.Function, Old.Calls, New.Calls, Old.Bytes, New.Bytes,
                  Old.Time, New.Time, Old.Waiting, New.Waiting, Old.imbalance(), New.imbalance());
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
                      {"waiting", Side.Waiting}};
}

static json::Object valueOfSite(const SideOfRow &Side) {
  json::Object Value = valueOf(Side);
  Value.insert({"imbalance", Side.imbalance()});
  return Value;
}

static json::Array framesValue(const ComparedRow &Row) {
  json::Array Frames;
  for (const std::string &Frame : Row.Frames)
    Frames.push_back(json::fixUTF8(Frame));
  return Frames;
}

json::Object comparisonValue(const RunProfile &Before, const RunProfile &After) {
  json::Array Sites, Paths, All;
  const std::vector<ComparedRow> Rows = compareSites(Before, After);
  for (const ComparedRow &Row : Rows)
    Sites.push_back(json::Object{{"place", json::fixUTF8(Row.Place)},
                                 {"function", Row.Function},
                                 {"before", valueOfSite(Row.Before)},
                                 {"after", valueOfSite(Row.After)}});
  for (const ComparedRow &Row : comparePaths(Before, After))
    Paths.push_back(json::Object{{"frames", framesValue(Row)},
                                 {"function", Row.Function},
                                 {"before", valueOf(Row.Before)},
                                 {"after", valueOf(Row.After)}});
  for (const ComparedAdvice &A : compareAdvice(Before, After, Rows))
    All.push_back(json::Object{{"id", A.Text.ID},
                               {"place", json::fixUTF8(A.Text.Place)},
                               {"text", json::fixUTF8(A.Text.Text)},
                               {"state", A.State}});
  return json::Object{{"schema", "mpispec-profile-comparison/1"},
                      {"before", valueOf(Before)},
                      {"after", valueOf(After)},
                      {"sites", std::move(Sites)},
                      {"paths", std::move(Paths)},
                      {"advice", std::move(All)}};
}

} // namespace mpispec
