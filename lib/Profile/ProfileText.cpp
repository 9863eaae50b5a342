//===- ProfileText.cpp - A profile as text and as CSV -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Profile/CallPaths.h"
#include "Profile/ProfileUnits.h"
#include "Profile/RunProfile.h"
#include "Support/TextLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

static void printHead(const RunProfile &Run, Style &S, raw_ostream &OS) {
  size_t Known = count_if(Run.Ranks, [](const RankOfRun &R) { return R.Known; });
  double Longest = 0;
  for (const RankOfRun &R : Run.Ranks)
    Longest = std::max(Longest, R.Time);
  S.write(Style::Bold, sys::path::filename(Run.Program));
  OS << formatv(": {0}, {1}; in MPI {2} % of the time, waiting {3} %\n", counted(Known, "rank"),
                secondsText(Longest), percentText(Run.InMPI, Run.Time),
                percentText(Run.Waiting, Run.Time));
  double Setup[MPISPEC_PROFILE_SETUPS] = {};
  for (const RankOfRun &R : Run.Ranks)
    for (unsigned I = 0; I < MPISPEC_PROFILE_SETUPS; ++I)
      Setup[I] += R.Setup[I] / double(std::max<size_t>(Known, 1));
  OS << formatv("a rank's time in MPI_Init {0}, in MPI_Finalize {1}, to make and free "
                "communicators {2}\n",
                secondsText(Setup[MPISPEC_PROFILE_INIT]),
                secondsText(Setup[MPISPEC_PROFILE_FINALIZE]),
                secondsText(Setup[MPISPEC_PROFILE_COMMUNICATORS]));
  for (const std::string &Complaint : Run.Complaints) {
    S.write(Style::Bad, "note: ");
    OS << Complaint << '\n';
  }
}

namespace {
struct Column {
  StringRef Title;
  unsigned Width;
};
} // namespace

static void printSites(const RunProfile &Run, size_t Most, Style &S, raw_ostream &OS) {
  static constexpr Column Columns[] = {{"CALLS", 10},    {"TIME", 11},  {"RUN %", 7},
                                       {"WAIT %", 8},    {"BYTES", 11}, {"AVERAGE", 11},
                                       {"MAX/MEAN", 10}, {"FAST %", 8}};
  unsigned Place = 4, Function = 8;
  ArrayRef<RunSite> Shown = ArrayRef(Run.Sites).take_front(Most);
  for (const RunSite &Site : Shown) {
    Place = std::max(Place, displayWidth(Site.place()));
    Function = std::max(Function, displayWidth(Site.name()));
  }
  OS << '\n';
  S.cell(Style::Dim, "SITE", Place + 2);
  S.cell(Style::Dim, "FUNCTION", Function);
  for (const Column &C : Columns)
    S.cell(Style::Dim, C.Title, C.Width, /*Right=*/true);
  OS << '\n';
  for (const RunSite &Site : Shown) {
    pad(OS, Site.place(), Place + 2);
    pad(OS, Site.name(), Function);
    std::string Cells[] = {std::to_string(Site.Calls),
                           secondsText(Site.Time),
                           percentText(Site.Time, Run.Time),
                           percentText(Site.Waiting, Site.Time) + (Site.Estimated ? "~" : ""),
                           bytesText(Site.Bytes),
                           bytesText(Site.Calls ? Site.Bytes / Site.Calls : 0),
                           formatv("{0:F2}", Site.imbalance()),
                           percentText(Site.fastShare(), 1)};
    for (auto [Cell, C] : zip_equal(Cells, Columns))
      pad(OS, Cell, C.Width, /*Right=*/true);
    OS << '\n';
  }
  if (Run.Sites.size() > Most)
    OS << formatv("and {0} more (--sites=N)\n", counted(Run.Sites.size() - Most, "site"));
}

static void printPaths(const RunProfile &Run, size_t Most, Style &S, raw_ostream &OS) {
  static constexpr Column Columns[] = {
      {"CALLS", 10}, {"TIME", 11}, {"RUN %", 7}, {"WAIT %", 8}, {"BYTES", 11}};
  if (!Run.Frames)
    return;
  OS << '\n';
  for (const Column &C : Columns)
    S.cell(Style::Dim, C.Title, C.Width, /*Right=*/true);
  OS << "  ";
  S.write(Style::Dim, "CALL PATH");
  OS << '\n';
  for (const RunPath &P : ArrayRef(Run.Paths).take_front(Most)) {
    std::string Cells[] = {
        std::to_string(P.Calls), secondsText(P.Time), percentText(P.Time, Run.Time),
        percentText(P.Waiting, P.Time) + (P.Estimated ? "~" : ""), bytesText(P.Bytes)};
    for (auto [Cell, C] : zip_equal(Cells, Columns))
      pad(OS, Cell, C.Width, /*Right=*/true);
    OS << "  " << (P.Frames.empty() ? "(other paths)" : P.name());
    for (const RunFrame &F : P.Frames)
      OS << " < " << labelOf(F);
    OS << '\n';
  }
  if (Run.Paths.size() > Most)
    OS << formatv("and {0} more (--sites=N)\n", counted(Run.Paths.size() - Most, "path"));
}

static void printWaiting(const RunProfile &Run, raw_ostream &OS) {
  double Sender = 0, Receiver = 0, All = 0;
  for (const RunSite &Site : Run.Sites) {
    Sender += Site.LateSender;
    Receiver += Site.LateReceiver;
    if (Site.WaitsFor == MPISPEC_WAITS_FOR_ALL)
      All += Site.Waiting;
  }
  OS << formatv("\nwaiting: late sender {0} %, late receiver {1} %, collective operations {2} % of "
                "the run\n",
                percentText(Sender, Run.Time), percentText(Receiver, Run.Time),
                percentText(All, Run.Time));
}

/// Prints the bytes that each rank sent to each rank. With more than `Most` ranks, prints only the
/// pairs with most bytes.
static void printMatrix(const RunProfile &Run, Style &S, raw_ostream &OS) {
  constexpr size_t Most = 16;
  struct Pair {
    size_t From, To;
    mpispec_profile_peer Counts;
  };
  std::vector<Pair> Pairs;
  for (size_t From = 0; From < Run.Peers.size(); ++From)
    for (size_t To = 0; To < Run.Peers[From].size(); ++To)
      if (Run.Peers[From][To].messages)
        Pairs.push_back({From, To, Run.Peers[From][To]});
  if (Pairs.empty())
    return;
  OS << '\n';
  if (Run.Ranks.size() > Most) {
    llvm::sort(Pairs, [](const Pair &L, const Pair &R) {
      return std::tie(R.Counts.bytes, L.From, L.To) < std::tie(L.Counts.bytes, R.From, R.To);
    });
    S.write(Style::Dim, "FROM -> TO, most bytes first\n");
    for (const Pair &P : ArrayRef(Pairs).take_front(Most))
      OS << formatv("{0,6} -> {1,-6} {2,12} in {3}\n", P.From, P.To, bytesText(P.Counts.bytes),
                    counted(P.Counts.messages, "message"));
    return;
  }
  S.cell(Style::Dim, "FROM \\ TO", 10);
  for (size_t To = 0; To < Run.Ranks.size(); ++To)
    S.cell(Style::Dim, std::to_string(To), 11, /*Right=*/true);
  OS << '\n';
  for (size_t From = 0; From < Run.Ranks.size(); ++From) {
    pad(OS, std::to_string(From), 10);
    for (size_t To = 0; To < Run.Ranks.size(); ++To) {
      bool Has = To < Run.Peers[From].size() && Run.Peers[From][To].messages;
      pad(OS, Has ? bytesText(Run.Peers[From][To].bytes) : "-", 11, /*Right=*/true);
    }
    OS << '\n';
  }
}

/// Prints the bytes of collective operations by rank. With more than `Most` ranks, prints only the
/// ranks with most bytes.
static void printCollectives(const RunProfile &Run, Style &S, raw_ostream &OS) {
  constexpr size_t Most = 16;
  std::vector<size_t> Ranks;
  for (size_t R = 0; R < Run.Ranks.size(); ++R)
    if (Run.Ranks[R].CollectiveCalls)
      Ranks.push_back(R);
  if (Ranks.empty())
    return;
  if (Ranks.size() > Most)
    llvm::sort(Ranks, [&](size_t L, size_t R) {
      return std::tie(Run.Ranks[R].CollectiveBytes, L) < std::tie(Run.Ranks[L].CollectiveBytes, R);
    });
  OS << '\n';
  S.write(Style::Dim, "COLLECTIVE OPERATIONS\n");
  for (size_t R : ArrayRef(Ranks).take_front(Most))
    OS << formatv("  rank {0}: {1} in {2}\n", R, bytesText(Run.Ranks[R].CollectiveBytes),
                  counted(Run.Ranks[R].CollectiveCalls, "call"));
}

/// Prints the sites before which ranks computed longest.
static void printComputing(const RunProfile &Run, Style &S, raw_ostream &OS) {
  constexpr size_t Most = 5;
  std::vector<const RunSite *> Sites;
  for (const RunSite &Site : Run.Sites)
    if (Site.Computing > Run.Time / 100)
      Sites.push_back(&Site);
  if (Sites.empty())
    return;
  llvm::sort(Sites, [](const RunSite *L, const RunSite *R) { return L->Computing > R->Computing; });
  OS << '\n';
  S.write(Style::Dim, "COMPUTING BEFORE\n");
  for (const RunSite *Site : ArrayRef(Sites).take_front(Most))
    OS << formatv("  {0} {1}: {2}, {3} % of the run\n", Site->place(), Site->name(),
                  secondsText(Site->Computing), percentText(Site->Computing, Run.Time));
}

static void printObstacles(const RunProfile &Run, size_t Most, Style &S, raw_ostream &OS) {
  std::vector<const RunSite *> Shown;
  for (const RunSite &Site : ArrayRef(Run.Sites).take_front(Most))
    if (Site.fastShare() < 0.995 && Site.mainObstacle() != MPISPEC_PATH_NO_TEMPLATE)
      Shown.push_back(&Site);
  if (Shown.empty())
    return;
  OS << '\n';
  S.write(Style::Dim, "WHAT STOPPED THE FAST PATH\n");
  for (const RunSite *Site : Shown) {
    OS << "  " << Site->place() << ' ' << Site->name() << ':';
    for (unsigned P = MPISPEC_PATH_FAST + 1; P < MPISPEC_PATHS; ++P)
      if (Site->Paths[P])
        OS << formatv(" {0} % {1};", percentText(double(Site->Paths[P]), double(Site->Calls)),
                      textOf(static_cast<mpispec_profile_path>(P)));
    OS << '\n';
  }
}

/// \p Text, wrapped; the first line begins with \p Lead, and the others with as many spaces.
static void printItem(StringRef Lead, const Twine &Text, unsigned Width, raw_ostream &OS) {
  StringRef Before = Lead;
  std::string Spaces(Lead.size(), ' ');
  for (const std::string &Line : wrap(Text.str(), Width - unsigned(Lead.size()))) {
    OS << Before << Line << '\n';
    Before = Spaces;
  }
}

static void printAdvice(const RunProfile &Run, unsigned Width, Style &S, raw_ostream &OS) {
  std::vector<Advice> All = adviceFor(Run);
  if (All.empty())
    return;
  OS << '\n';
  S.write(Style::Dim, "WHAT TO DO\n");
  for (const Advice &A : All) {
    printItem("- ", A.Place + ": " + A.Text + " [" + A.ID + "]", Width, OS);
    for (const Proposal &P : A.Proposals)
      printItem("    try: ", P.Text, Width, OS);
  }
}

void printProfile(const RunProfile &Run, unsigned Width, size_t MostSites, raw_ostream &OS) {
  Style S(OS);
  printHead(Run, S, OS);
  printSites(Run, MostSites, S, OS);
  printPaths(Run, MostSites, S, OS);
  printWaiting(Run, OS);
  printObstacles(Run, MostSites, S, OS);
  printMatrix(Run, S, OS);
  printCollectives(Run, S, OS);
  printComputing(Run, S, OS);
  printAdvice(Run, std::max(Width, 60u), S, OS);
}

void printProfileCSV(const RunProfile &Run, raw_ostream &OS) {
  OS << "file,line,column,within,function,rank,calls,bytes,seconds,waiting\n";
  for (const RunSite &Site : Run.Sites)
    for (size_t R = 0; R < Site.Ranks.size(); ++R)
      if (const SiteOfRank &Own = Site.Ranks[R]; Own.Calls)
        OS << formatv("{0},{1},{2},{3},{4},{5},{6},{7},{8:F9},{9:F9}\n",
                      csvField(Site.File.empty() ? Site.place() : Site.File), Site.Line,
                      Site.Column, csvField(Site.Within), Site.Function, R, Own.Calls, Own.Bytes,
                      Own.Time, Own.Waiting);
}

} // namespace mpispec
