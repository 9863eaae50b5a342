//===- CollectiveAdvice.cpp - Advice about collective operations ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Profile/CollectiveAdvice.h"
#include "Profile/CollectiveTime.h"
#include "Profile/ProfileUnits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace llvm;

namespace mpispec {

/// The part *varying* is ignored if every rank makes fewer calls than this number. The first call
/// at a site may take longer, because it prepares data for the later ones.
static constexpr uint64_t LeastCallsThatVary = 4;

/// The least share of the run that leads to a finding.
static constexpr double LeastShare = 0.05;

static uint64_t bytesOfCall(const RunSite &S) { return S.Calls ? S.Bytes / S.Calls : 0; }

//===- Proposals -----------------------------------------------------------------------------===//

static bool isOpenMPI(const RunProfile &Run) { return StringRef(Run.Library).contains("Open MPI"); }

Proposal bindingProposal(const RunProfile &Run) {
  const char *Option = isOpenMPI(Run) ? "--bind-to" : "-bind-to";
  return {
      formatv("each rank on a core of its own: mpiexec {0} core", Option), {Option, "core"}, {}};
}

static bool areBound(const RunProfile &Run) {
  return all_of(Run.Ranks, [](const RankOfRun &R) { return !R.Known || R.Cores.size() == 1; });
}

static size_t nodesOf(const RunProfile &Run) {
  std::set<StringRef> Nodes;
  for (const RankOfRun &R : Run.Ranks)
    if (R.Known)
      Nodes.insert(R.Node);
  return Nodes.size();
}

/// Proposes that two ranks exchange their cores: \p Last, for which the others wait, and the rank
/// below or above it.
static Proposal exchangeProposal(const RunProfile &Run, int Last) {
  size_t Other = size_t(Last) ? size_t(Last) - 1 : 1;
  std::vector<std::string> Cores;
  for (const RankOfRun &R : Run.Ranks)
    Cores.push_back(R.Known ? std::to_string(R.Cores[0]) : "0");
  std::swap(Cores[size_t(Last)], Cores[Other]);
  Proposal P{
      formatv("exchange the cores of ranks {0} and {1}: if rank {1} is late then, the core is "
              "slow and not the work",
              Last, Other),
      {},
      {}};
  if (!isOpenMPI(Run)) // Open MPI reads the cores from a file
    P.Launcher = {"-bind-to", "user:" + join(Cores, ",")};
  return P;
}

/// Proposes algorithms of the MPI library. With MPISPEC_MODE=off the library executes the calls.
static void proposeAlgorithms(const RunProfile &Run, const RunSite &S, Advice &A) {
  enum Class { Short, Long };
  struct Algorithm {
    StringLiteral Library, Function, Name;
    Class For;
    std::vector<std::string> Variables;
  };
  static const Algorithm All[] = {
#define MPISPEC_ALGORITHM(LIBRARY, FUNCTION, CLASS, NAME, ...)                                     \
  {LIBRARY, FUNCTION, NAME, CLASS, {__VA_ARGS__}},
#include "Profile/CollectiveAlgorithms.def"
  };
  bool IsOurs = any_of(Run.Ranks, [](const RankOfRun &R) { return R.HasLanes; });
  for (const Algorithm &Row : All) {
    if (S.Function != Row.Function || !StringRef(Run.Library).contains(Row.Library) ||
        (Row.For == Short) != isShortCall(S))
      continue;
    std::vector<std::string> Variables = Row.Variables;
    if (IsOurs)
      Variables.push_back("MPISPEC_MODE=off");
    A.Proposals.push_back(
        {formatv("the library's algorithm '{0}': {1}", Row.Name, join(Variables, " ")),
         {},
         Variables});
  }
}

static void proposeForTransfer(const RunProfile &Run, const RunSite &S, Advice &A) {
  if (any_of(Run.Ranks, [](const RankOfRun &R) { return R.HasLanes; }))
    for (const char *Way : {"pipe", "shared"})
      A.Proposals.push_back({formatv("long messages by {0}: MPISPEC_LONG_MESSAGES={1}",
                                     StringRef(Way) == "pipe" ? "two copies" : "one copy", Way),
                             {},
                             {std::string("MPISPEC_LONG_MESSAGES=") + Way}});
  proposeAlgorithms(Run, S, A);
  if (nodesOf(Run) > 1)
    A.Proposals.push_back({"another placement: ranks that exchange most on one node", {}, {}});
  if (S.Function != "MPI_Barrier")
    A.Proposals.push_back({formatv("MPI_I{0} of a part of the data while the next part is computed",
                                   StringRef(S.Function).drop_front(4).lower()),
                           {},
                           {}});
}

static void proposeForShortCalls(const RunProfile &Run, const RunSite &S, Advice &A) {
  if (S.Function == "MPI_Barrier")
    A.Proposals.push_back({"leave out barriers that only keep ranks in step", {}, {}});
  else
    A.Proposals.push_back({"put the data of several calls into one", {}, {}});
  proposeAlgorithms(Run, S, A);
}

static void proposeForImbalance(const RunProfile &Run, const RunSite &S, int Last, Advice &A) {
  static constexpr StringLiteral ToRoot[] = {"MPI_Reduce", "MPI_Gather", "MPI_Gatherv"};
  A.Proposals.push_back({formatv("give rank {0} less to do before the call", Last), {}, {}});
  if (is_contained(ToRoot, S.Function))
    A.Proposals.push_back({formatv("MPI_I{0}, completed where the result is needed: a faster {1} "
                                   "does not help, the time is that of the work before it",
                                   StringRef(S.Function).drop_front(4).lower(), S.name()),
                           {},
                           {}});
  if (!areBound(Run))
    A.Proposals.push_back(bindingProposal(Run));
  else if (Run.Ranks.size() > 1 && nodesOf(Run) == 1 && Run.Ranks[size_t(Last)].Known)
    A.Proposals.push_back(exchangeProposal(Run, Last));
}

static void proposeForVarying(const RunProfile &Run, Advice &A) {
  if (!areBound(Run))
    A.Proposals.push_back(bindingProposal(Run));
  A.Proposals.push_back(
      {"divide the work anew before each call, or nothing else on these cores", {}, {}});
}

//===- Findings ------------------------------------------------------------------------------===//

static std::string shareText(double Share) { return formatv("{0:F0} %", Share * 100); }

/// The root that all calls name, or -1.
static int rootOf(const RunSite &S) {
  int Root = -1;
  bool IsRooted = StringSwitch<bool>(S.Function)
                      .Cases({"MPI_Reduce", "MPI_Bcast", "MPI_Gather", "MPI_Gatherv"}, true)
                      .Cases({"MPI_Scatter", "MPI_Scatterv"}, true)
                      .Default(false);
  if (!IsRooted || S.Peers.size() != 1 || StringRef(S.Peers.begin()->first).getAsInteger(10, Root))
    return -1;
  return Root;
}

/// A text that compares the last rank's time outside MPI with the mean of the other ranks. Empty
/// unless the last rank's time is at least 5 % longer.
static std::string workText(const RunProfile &Run, int Last) {
  double Others = 0, Own = 0, Count = 0;
  for (size_t R = 0; R < Run.Ranks.size(); ++R) {
    double Outside = Run.Ranks[R].Time - Run.Ranks[R].InMPI;
    if (int(R) == Last)
      Own = Outside;
    else if (Run.Ranks[R].Known)
      Others += Outside, ++Count;
  }
  if (!Count || Own < 1.05 * Others / Count)
    return "";
  return formatv(" and is {0} outside MPI, where the others are {1}", secondsText(Own),
                 secondsText(Others / Count));
}

/// The name of the function around a call in its source. Names that gfortran and flang have
/// generated are decoded.
static StringRef sourceName(StringRef Within) {
  if (Within == "MAIN__" || Within == "_QQmain")
    return "the main program";
  if (Within.starts_with("__") && Within.contains("_MOD_"))
    return Within.split("_MOD_").second;
  if (Within.consume_front("_QM"))
    return Within.rsplit('P').second;
  Within.consume_front("_QP");
  return Within;
}

static std::string describe(const RunProfile &Run, const RunSite &S, const CollectiveTime &T) {
  std::string Text = S.name();
  if (!S.Within.empty())
    Text += formatv(" in {0}", sourceName(S.Within));
  if (S.Bytes)
    Text += formatv(" of {0} a call", bytesText(bytesOfCall(S)));
  Text += formatv(" takes {0} of the run: {1} waiting for ", shareText(S.Time / Run.Time),
                  shareText(T.Imbalance / Run.Time));
  if (T.Last < 0)
    Text += "one rank";
  else
    Text += formatv("rank {0}{1}, which comes last{2}", T.Last,
                    T.Last == rootOf(S) ? ", the root" : "", workText(Run, T.Last));
  Text += formatv(", {0} transfer", shareText(T.Transfer / Run.Time));
  if (T.Transfer > 0 && !isShortCall(S))
    Text += formatv(" at {0:F2} GB/s a rank", double(S.Bytes) / T.Transfer * 1e-9);
  else if (S.Calls)
    Text += formatv(", {0} a call", secondsText(T.Transfer / double(S.Calls)));
  Text += formatv(", {0} beyond its shortest calls", shareText(T.Varying / Run.Time));
  return Text;
}

static void findCollective(const RunProfile &Run, const RunSite &S, std::vector<Advice> &Found) {
  CollectiveTime T = splitTime(Run, S);
  if (S.MostCalls < LeastCallsThatVary)
    T.Varying = 0;
  const double Least = LeastShare * Run.Time;
  double Most = std::max({T.Imbalance, T.Transfer, T.Varying});
  if (Most < Least)
    return;
  Advice A;
  A.ID = Most == T.Imbalance ? "imbalance"
         : Most == T.Varying ? "varying"
         : isShortCall(S)    ? "short-calls"
                             : "transfer";
  A.Place = S.place();
  A.Text = describe(Run, S, T);
  A.Seconds = Most;
  A.Shares = {{"imbalance", T.Imbalance / Run.Time},
              {"transfer", T.Transfer / Run.Time},
              {"varying", T.Varying / Run.Time}};
  if (T.Imbalance >= Least) {
    A.Rank = T.Last;
    proposeForImbalance(Run, S, T.Last, A);
  }
  if (T.Transfer >= Least)
    isShortCall(S) ? proposeForShortCalls(Run, S, A) : proposeForTransfer(Run, S, A);
  if (T.Varying >= Least)
    proposeForVarying(Run, A);
  Found.push_back(std::move(A));
}

void findCollectives(const RunProfile &Run, std::vector<Advice> &Found) {
  for (const RunSite &S : Run.Sites)
    if (S.WaitsFor == MPISPEC_WAITS_FOR_ALL)
      findCollective(Run, S, Found);
}

} // namespace mpispec
