//===- ProfileAdvice.cpp - Advice that follows from a profile ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rule is a C++ function that reads the run and appends its findings. Each finding has the
// observation with its numbers, and the edit or option that helps. Thresholds suppress advice that
// would save little time. Most rules about a site apply only if the site has enough calls and a
// large enough share of the time in MPI. The rule about waiting applies only if the site waits for
// a large enough share of the run's time. CollectiveAdvice.cpp has the rule about collective
// operations.
//
//===------------------------------------------------------------------------------------------===//
#include "Profile/CollectiveAdvice.h"
#include "Profile/RunProfile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace mpispec {

static bool matters(const RunProfile &Run, const RunSite &S) {
  return S.Calls >= 100 && S.Time >= Run.InMPI / 100;
}

static double share(uint64_t Part, uint64_t Whole) {
  return Whole ? double(Part) / double(Whole) : 0;
}

static std::string percent(double Share) { return formatv("{0:F0} %", Share * 100); }

//===- Sites ---------------------------------------------------------------------------------===//

static StringRef remedyFor(mpispec_profile_path Path) {
  switch (Path) {
  case MPISPEC_PATH_THREADS:
    return "ask for MPI_THREAD_FUNNELED or SERIALIZED if one thread calls at a time";
  case MPISPEC_PATH_DATATYPE:
    return "send elements that lie side by side, or pack few of them by hand";
  case MPISPEC_PATH_SIZE:
    return "up to 256 bytes (48 in a collective operation) travel inline";
  case MPISPEC_PATH_QUEUED:
    return "name the source instead of MPI_ANY_SOURCE, or receive in the order of sending";
  case MPISPEC_PATH_NO_ROOM:
    return "the receiver is behind: let it receive earlier, or send less often and more";
  default:
    return "";
  }
}

static void findNoLanes(const RunProfile &Run, std::vector<Advice> &Found) {
  uint64_t Without = 0, All = 0;
  for (const RunSite &S : Run.Sites) {
    Without += S.Paths[MPISPEC_PATH_NO_LANES];
    All += S.Calls;
  }
  if (All && Without == All)
    Found.push_back(
        {"no-lanes", "the run",
         "all calls went to the MPI library; MPISPEC_VERBOSE=1 and 'mpispec doctor' say "
         "why",
         Run.InMPI});
}

/// Sites where one obstacle kept a quarter of the calls or more from the fast path.
static void findObstacles(const RunProfile &Run, std::vector<Advice> &Found) {
  for (const RunSite &S : Run.Sites) {
    mpispec_profile_path Path = S.mainObstacle();
    StringRef Remedy = remedyFor(Path);
    uint64_t Bytes = S.Calls ? S.Bytes / S.Calls : 0;
    bool IsLong = Path == MPISPEC_PATH_SIZE && Bytes > 1024; /* far beyond inline messages */
    if (!matters(Run, S) || Remedy.empty() || IsLong || share(S.Paths[Path], S.Calls) < 0.25)
      continue;
    Found.push_back({"inline-if", S.place(),
                     formatv("{0}: {1} of {2} calls could not be inline: {3}; {4}", S.name(),
                             percent(share(S.Paths[Path], S.Calls)), S.Calls, textOf(Path), Remedy),
                     S.Time - S.Waiting});
  }
}

static void findExchanges(const RunProfile &Run, std::vector<Advice> &Found) {
  for (const RunSite &S : Run.Sites)
    if (matters(Run, S) && S.Function == "MPI_Send" && share(S.Exchanges, S.Calls) >= 0.5 &&
        S.LateReceiver >= S.Time / 5)
      Found.push_back(
          {"blocking-exchange", S.place(),
           formatv("MPI_Send waits {0} of its time for the receiver, and a receive from "
                   "the same peer follows: one rank after the other; use MPI_Sendrecv, "
                   "or MPI_Irecv before the send",
                   percent(S.LateReceiver / S.Time)),
           S.LateReceiver});
}

static void findShortMessages(const RunProfile &Run, std::vector<Advice> &Found) {
  for (const RunSite &S : Run.Sites)
    if (matters(Run, S) && share(S.RunOn, S.Calls) >= 0.5)
      Found.push_back(
          {"one-message", S.place(),
           formatv("{0}: {1} of {2} messages, of {3} bytes on average, go to the peer "
                   "that the one right before went to; put them into one",
                   S.name(), percent(share(S.RunOn, S.Calls)), S.Calls, S.Bytes / S.Calls),
           S.Time});
}

static void findPersistent(const RunProfile &Run, std::vector<Advice> &Found) {
  static constexpr std::pair<StringLiteral, StringLiteral> Persistent[] = {
      {"MPI_Isend", "MPI_Send_init"},
      {"MPI_Issend", "MPI_Ssend_init"},
      {"MPI_Irecv", "MPI_Recv_init"}};
  for (const RunSite &S : Run.Sites) {
    const auto *Form =
        find_if(Persistent, [&](const auto &Row) { return Row.first == S.Function; });
    if (matters(Run, S) && Form != std::end(Persistent) && share(S.Same, S.Calls) >= 0.9)
      Found.push_back({"persistent", S.place(),
                       formatv("{0}: {1} of {2} calls have the arguments of the call before; make "
                               "the request once ({3}) and start it (MPI_Startall)",
                               S.name(), percent(share(S.Same, S.Calls)), S.Calls, Form->second),
                       S.Time - S.Waiting});
  }
}

/// The ranks for which a site waits most.
static StringRef awaitedRanks(const RunSite &S) {
  if (S.LateSender == S.LateReceiver) // neither, if the waits are for requests of any kind
    return "other ranks";
  return S.LateSender > S.LateReceiver ? "late senders" : "late receivers";
}

static void findWaiting(const RunProfile &Run, std::vector<Advice> &Found) {
  for (const RunSite &S : Run.Sites)
    if (S.Waiting >= Run.Time / 20 && S.WaitsFor != MPISPEC_WAITS_FOR_ALL)
      Found.push_back({"waiting", S.place(),
                       formatv("{0} waits {1} of the run for {2}", S.name(),
                               percent(S.Waiting / Run.Time), awaitedRanks(S)),
                       S.Waiting});
}

//===- Ranks and cores -----------------------------------------------------------------------===//

/// The launcher's option, by the library that the program uses.
static StringRef bindingOption(StringRef Library) {
  if (Library.contains("Open MPI"))
    return "mpirun --bind-to core (with srun: --cpu-bind=cores)";
  return "mpiexec -bind-to core (with srun: --cpu-bind=cores)";
}

static std::string listed(ArrayRef<unsigned> Ranks) {
  std::string Text;
  for (unsigned R : Ranks.take_front(6))
    Text += (Text.empty() ? "" : ", ") + std::to_string(R);
  return Text + (Ranks.size() > 6 ? ", ..." : "");
}

static double timeOf(const RunProfile &Run, ArrayRef<unsigned> Ranks) {
  double Time = 0;
  for (unsigned R : Ranks)
    Time += Run.Ranks[R].Time;
  return Time;
}

static void findCores(const RunProfile &Run, std::vector<Advice> &Found) {
  std::map<std::string, std::vector<unsigned>> Nodes;
  for (unsigned R = 0; R < Run.Ranks.size(); ++R)
    if (Run.Ranks[R].Known)
      Nodes[Run.Ranks[R].Node].push_back(R);
  for (const auto &[Node, Ranks] : Nodes) {
    std::map<unsigned, std::vector<unsigned>> Alone; /* by core: ranks that have no other */
    std::vector<unsigned> Unbound;
    std::set<unsigned> Cores;
    for (unsigned R : Ranks) {
      ArrayRef<unsigned> Own = Run.Ranks[R].Cores;
      Cores.insert(Own.begin(), Own.end());
      if (Own.size() == 1)
        Alone[Own[0]].push_back(R);
      else if (Own.size() >= Run.Ranks[R].CoresOnline)
        Unbound.push_back(R);
    }
    if (Cores.empty()) // the system has more cores than the file can name
      continue;
    if (Ranks.size() > Cores.size()) {
      Found.push_back(
          {"shared-cores",
           Node,
           formatv("{0} ranks share {1} cores: who waits must give its core away; start "
                   "as many ranks as there are cores; each has at most {2} of a core now",
                   Ranks.size(), Cores.size(), percent(share(Cores.size(), Ranks.size()))),
           timeOf(Run, Ranks) * (1 - share(Cores.size(), Ranks.size())),
           {}});
      if (Run.Ranks[Ranks[0]].CoresOnline >= Ranks.size())
        Found.back().Proposals.push_back(bindingProposal(Run));
      continue;
    }
    for (const auto &[Core, Sharing] : Alone)
      if (Sharing.size() > 1)
        Found.push_back({"shared-cores",
                         Node,
                         formatv("ranks {0} are bound to the same core, {1}; use {2}",
                                 listed(Sharing), Core, bindingOption(Run.Library)),
                         timeOf(Run, Sharing) * (1 - share(1, Sharing.size())),
                         {bindingProposal(Run)}});
    if (Unbound.size() > 1)
      Found.push_back({"not-bound",
                       Node,
                       formatv("ranks {0} are not bound and may meet on a core; use {1}",
                               listed(Unbound), bindingOption(Run.Library)),
                       0,
                       {bindingProposal(Run)}});
  }
}

//===- The whole -----------------------------------------------------------------------------===//

std::vector<Advice> adviceFor(const RunProfile &Run) {
  std::vector<Advice> Found;
  findNoLanes(Run, Found);
  if (Run.Time <= 0) // every rank was ended in its first call, so that the run's time is 0
    return Found;
  findWaiting(Run, Found);
  findExchanges(Run, Found);
  findShortMessages(Run, Found);
  findPersistent(Run, Found);
  findObstacles(Run, Found);
  findCores(Run, Found);
  // If ranks share a core, a rank's calls also take the time in which others compute on the core.
  if (none_of(Found, [](const Advice &A) { return A.ID == "shared-cores"; }))
    findCollectives(Run, Found);
  llvm::sort(Found, [](const Advice &L, const Advice &R) {
    return std::tie(R.Seconds, L.ID, L.Place) < std::tie(L.Seconds, R.ID, R.Place);
  });
  return Found;
}

} // namespace mpispec
