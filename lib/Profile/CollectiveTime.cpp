//===- CollectiveTime.cpp - Where the time of a collective call goes --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Profile/CollectiveTime.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>

using namespace llvm;

namespace mpispec {

/// Calls of few bytes have at most this number of bytes on average.
static constexpr uint64_t MostShortBytes = 1024;

/// In seconds. If calls of few bytes take less, their times vary with the state of the caches and
/// with the clock frequency. Therefore their shortest call is not used as a measure.
static constexpr double MostLatency = 20e-6;

/// For calls of many bytes. All time of the last rank is transfer if its mean per call is at most
/// this multiple of the shortest call. The reason is that the speed of memory and network varies.
static constexpr double MostSpread = 2;

/// With fewer calls the shortest one may include waiting, too.
static constexpr uint64_t FewCalls = 4;

bool isShortCall(const RunSite &Site) {
  return !Site.Calls || Site.Bytes / Site.Calls <= MostShortBytes;
}

/// Must all ranks of a call pass the same number of bytes?
static bool hasOneLength(StringRef Function) {
  return StringSwitch<bool>(Function)
      .Cases({"MPI_Barrier", "MPI_Bcast", "MPI_Reduce", "MPI_Allreduce", "MPI_Scan"}, true)
      .Cases({"MPI_Exscan", "MPI_Reduce_scatter", "MPI_Reduce_scatter_block"}, true)
      .Cases({"MPI_Allgather", "MPI_Alltoall"}, true)
      .Default(false);
}

/// The numbers of calls may differ by one, because a run may have been cut short in a call.
static bool isOneGroup(const SiteOfRank &L, const SiteOfRank &R, bool HasOneLength) {
  uint64_t More = std::max(L.Calls, R.Calls), Less = std::min(L.Calls, R.Calls);
  return More - Less <= 1 && (!HasOneLength || L.Bytes / L.Calls == R.Bytes / R.Calls);
}

static std::vector<std::vector<unsigned>> groupsOf(const RunSite &Site) {
  std::vector<std::vector<unsigned>> Groups;
  bool HasOneLength = hasOneLength(Site.Function);
  for (unsigned R = 0; R < Site.Ranks.size(); ++R) {
    if (!Site.Ranks[R].Calls)
      continue;
    auto Group = llvm::find_if(Groups, [&](const std::vector<unsigned> &G) {
      return isOneGroup(Site.Ranks[G.front()], Site.Ranks[R], HasOneLength);
    });
    if (Group == Groups.end())
      Groups.push_back({R});
    else
      Group->push_back(R);
  }
  return Groups;
}

/// The rank with most time outside MPI among those that hardly wait. In MPI_Reduce several
/// ranks hardly wait, because all but the root return as soon as their data is on its way.
static unsigned lastOf(const RunProfile &Run, const RunSite &Site, ArrayRef<unsigned> Group,
                       double Least, double Most) {
  auto Outside = [&](unsigned R) { return Run.Ranks[R].Time - Run.Ranks[R].InMPI; };
  int Last = -1;
  for (unsigned R : Group)
    if (Site.Ranks[R].Time / double(Site.Ranks[R].Calls) <= Least + (Most - Least) / 10)
      if (Last < 0 || Outside(R) > Outside(unsigned(Last)))
        Last = int(R);
  return unsigned(Last);
}

/// Seconds of a call without waiting. The last rank's calls take \p Least on average, and the
/// shortest call takes \p Shortest.
static double transferOf(const RunSite &Site, double Least, double Shortest) {
  Shortest = std::min(Shortest, Least);
  if (!isShortCall(Site))
    return Least <= MostSpread * Shortest ? Least : Shortest;
  bool IsKnown = Site.MostCalls >= FewCalls;
  return std::max(IsKnown ? Shortest : 0, std::min(Least, MostLatency));
}

CollectiveTime splitTime(const RunProfile &Run, const RunSite &Site) {
  CollectiveTime Result;
  double MostImbalance = 0;
  for (const std::vector<unsigned> &Group : groupsOf(Site)) {
    double Least = INFINITY, Most = 0, Shortest = INFINITY, Imbalance = 0;
    for (unsigned R : Group) {
      const SiteOfRank &Own = Site.Ranks[R];
      Least = std::min(Least, Own.Time / double(Own.Calls));
      Most = std::max(Most, Own.Time / double(Own.Calls));
      Shortest = std::min(Shortest, Own.Floor / double(Own.Calls));
    }
    double Transfer = transferOf(Site, Least, Shortest);
    for (unsigned R : Group) {
      double Calls = double(Site.Ranks[R].Calls);
      Imbalance += Site.Ranks[R].Time - Calls * Least;
      Result.Varying += Calls * (Least - Transfer);
      Result.Transfer += Calls * Transfer;
    }
    Result.Imbalance += Imbalance;
    if (Imbalance > MostImbalance) {
      MostImbalance = Imbalance;
      Result.Last = int(lastOf(Run, Site, Group, Least, Most));
    }
  }
  return Result;
}

} // namespace mpispec
