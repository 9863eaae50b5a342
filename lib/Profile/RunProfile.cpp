//===- RunProfile.cpp - A run: the files of all ranks, joined ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Profile/RunProfile.h"
#include "Profile/CallPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace mpispec {

//===- Words ------------------------------------------------------------------------------===//

namespace {
struct PathWords {
  StringLiteral Key, Text;
};
} // namespace

static constexpr PathWords Words[] = {
    {"fast", "the fast path"},
    {"without-template", "the function has no template"},
    {"no-lanes", "the runtime's lanes were not open"},
    {"threads", "the program asked for MPI_THREAD_MULTIPLE"},
    {"communicator", "the communicator is not one of the runtime's"},
    {"other-node", "the peer, or a member, is on another node"},
    {"no-peer", "the peer is MPI_PROC_NULL"},
    {"datatype", "the datatype has gaps"},
    {"size", "the message is too long"},
    {"not-there", "what it waits for had not come"},
    {"no-room", "the peer had not read what was sent before"},
    {"queued", "other messages or receives came first"},
    {"new-datatype", "the runtime did not have the datatype at hand, as in its first call"},
    {"no-slots", "the communicator had no slots, which its first collective operation opens"},
    {"operation", "no template combines this operation and datatype"},
    {"order", "the order in which more than two ranks' numbers are combined matters"},
};
static_assert(std::size(Words) == MPISPEC_PATHS, "a row for each path");

StringRef textOf(mpispec_profile_path Path) { return Words[Path].Text; }
StringRef keyOf(mpispec_profile_path Path) { return Words[Path].Key; }

std::string RunSite::place() const {
  if (!File.empty())
    return (sys::path::filename(File) + ":" + Twine(Line)).str();
  if (!Symbol.empty())
    return Symbol;
  if (Object.empty())
    return "(other sites)";
  return formatv("{0}+{1:x}", sys::path::filename(Object), Offset);
}

static bool isFortran(StringRef File) {
  static constexpr StringLiteral Extensions[] = {".f",   ".for", ".ftn", ".fpp", ".f77",
                                                 ".f90", ".f95", ".f03", ".f08", ".f18"};
  return is_contained(Extensions, sys::path::extension(File).lower());
}

std::string nameIn(StringRef File, StringRef Function) {
  return isFortran(File) ? Function.upper() : Function.str();
}

std::string RunSite::name() const { return nameIn(File, Function); }

mpispec_profile_path RunSite::mainObstacle() const {
  unsigned Worst = MPISPEC_PATH_FAST;
  for (unsigned P = MPISPEC_PATH_FAST + 1; P < MPISPEC_PATHS; ++P)
    if (Paths[P] && (Worst == MPISPEC_PATH_FAST || Paths[P] > Paths[Worst]))
      Worst = P;
  return static_cast<mpispec_profile_path>(Worst);
}

double RunSite::imbalance() const {
  double Most = 0, Sum = 0;
  for (const SiteOfRank &R : Ranks) {
    Most = std::max(Most, R.Time);
    Sum += R.Time;
  }
  return Sum > 0 ? Most * double(Ranks.size()) / Sum : 1;
}

//===- One rank into the run ------------------------------------------------------------------===//

/// Did the MPI library execute most of the calls, and did the runtime measure no waiting? Then the
/// waiting is estimated.
static bool isTheLibrarys(const mpispec_profile_site &S) {
  uint64_t Elsewhere = S.paths[MPISPEC_PATH_NO_LANES] + S.paths[MPISPEC_PATH_COMMUNICATOR] +
                       S.paths[MPISPEC_PATH_OTHER_NODE];
  return !S.waiting && Elsewhere * 2 > S.calls;
}

/// The ticks of all calls if each had taken as long as the shortest call of its size.
static uint64_t floorOf(const mpispec_profile_site &S) {
  uint64_t Floor = 0;
  for (const mpispec_profile_size &Size : S.sizes)
    Floor += Size.calls * Size.least_ticks;
  return Floor;
}

static uint64_t estimateWaiting(const mpispec_profile_site &S) {
  uint64_t Waiting = 0;
  for (const mpispec_profile_size &Size : S.sizes)
    if (Size.calls && Size.ticks > Size.calls * Size.least_ticks)
      Waiting += Size.ticks - Size.calls * Size.least_ticks;
  return Waiting;
}

uint64_t waitingAt(const mpispec_profile_site &S, bool &IsEstimated) {
  IsEstimated = isTheLibrarys(S) && S.waits_for != MPISPEC_WAITS_FOR_ANY;
  return IsEstimated ? estimateWaiting(S) : S.waiting;
}

/// The name of the datatype with \p Handle, or "derived" if the file has no name for it.
static std::string nameOfDatatype(const RankProfile &Rank, int64_t Handle) {
  for (const mpispec_profile_datatype &D : Rank.Datatypes)
    if (D.handle == Handle)
      return D.name;
  return "derived";
}

static std::string nameOfNumber(int64_t Value) {
  return Value < 0 ? "special" : std::to_string(Value);
}

static void addValues(ValueCounts &To, const mpispec_profile_values &From,
                      function_ref<std::string(int64_t)> NameOf = nameOfNumber) {
  auto Add = [&](std::string Name, const mpispec_profile_value &V) {
    if (!V.calls)
      return;
    auto &Counts = To[Name];
    Counts.first += V.calls;
    Counts.second += V.bytes;
  };
  for (const mpispec_profile_value &V : From.kept)
    Add(V.calls ? NameOf(V.value) : "", V);
  Add("other", From.candidate);
  Add("other", From.other);
}

static unsigned distinct(const mpispec_profile_values &Values) {
  return count_if(Values.kept, [](const mpispec_profile_value &V) { return V.calls != 0; }) +
         (Values.candidate.calls || Values.other.calls);
}

static void add(RunSite &To, const RankProfile &Rank, const mpispec_profile_site &S) {
  bool Estimated;
  uint64_t Waiting = waitingAt(S, Estimated);
  To.Calls += S.calls;
  To.Bytes += S.bytes;
  To.Time += Rank.seconds(S.ticks);
  To.Computing += Rank.seconds(S.computing);
  To.Waiting += Rank.seconds(Waiting);
  To.Longest = std::max(To.Longest, Rank.seconds(S.most_ticks));
  To.LateSender += Rank.seconds(
      Estimated && S.waits_for == MPISPEC_WAITS_FOR_SENDER ? Waiting : S.waiting_sender);
  To.LateReceiver += Rank.seconds(
      Estimated && S.waits_for == MPISPEC_WAITS_FOR_RECEIVER ? Waiting : S.waiting_receiver);
  To.Estimated |= Estimated;
  To.Threads |= S.threads != 0;
  To.Same += S.same;
  To.RunOn += S.run_on;
  To.Exchanges += S.exchanges;
  if (S.waits_for <= MPISPEC_WAITS_FOR_ANY)
    To.WaitsFor = static_cast<mpispec_profile_waits>(S.waits_for);
  for (unsigned P = 0; P < MPISPEC_PATHS; ++P)
    To.Paths[P] += S.paths[P];
  for (unsigned K = 0; K < MPISPEC_PROFILE_SIZES; ++K)
    To.Sizes[K] += S.sizes[K].calls;
  addValues(To.Peers, S.peers);
  addValues(To.Tags, S.tags);
  addValues(To.Lengths, S.lengths);
  addValues(To.Datatypes, S.datatypes,
            [&](int64_t Handle) { return nameOfDatatype(Rank, Handle); });
  To.Communicators = std::max(To.Communicators, distinct(S.communicators));
  SiteOfRank &Own = To.Ranks[Rank.Header.rank];
  Own.Calls += S.calls;
  Own.Bytes += S.bytes;
  Own.Time += Rank.seconds(S.ticks);
  Own.Waiting += Rank.seconds(Waiting);
  Own.Floor += Rank.seconds(floorOf(S));
}

static RankOfRun rankOf(const RankProfile &P) {
  RankOfRun R;
  R.Known = true;
  R.Node = P.Header.node;
  R.CoresOnline = P.Header.cores_online;
  R.HasLanes = P.Header.lanes != 0;
  for (unsigned Core = 0; Core < 1024; ++Core)
    if (P.Header.core_mask[Core / 64] >> Core % 64 & 1)
      R.Cores.push_back(Core);
  R.Time = P.runSeconds();
  R.InMPI = P.seconds(P.Header.ticks_in_mpi);
  for (unsigned I = 0; I < MPISPEC_PROFILE_SETUPS; ++I)
    R.Setup[I] = P.seconds(P.Header.setup_ticks[I]);
  for (const mpispec_profile_site &S : P.Sites)
    if (S.waits_for == MPISPEC_WAITS_FOR_ALL) {
      R.CollectiveCalls += S.calls;
      R.CollectiveBytes += S.bytes;
    }
  R.End =
      static_cast<mpispec_profile_end>(std::min<uint32_t>(P.Header.end, MPISPEC_PROFILE_FINALIZED));
  return R;
}

//===- Bins -----------------------------------------------------------------------------------===//

/// The ranks' bins have different lengths. All are converted to the greatest length.
static void addBins(RunProfile &Run, ArrayRef<RankProfile> Ranks) {
  for (const RankProfile &R : Ranks)
    Run.BinSeconds = std::max(Run.BinSeconds, R.seconds(R.Header.bin_ticks));
  Run.Bins.resize(Run.Ranks.size());
  for (const RankProfile &R : Ranks) {
    auto &Own = Run.Bins[R.Header.rank];
    size_t Used =
        std::min<size_t>(MPISPEC_PROFILE_BINS, size_t(R.runSeconds() / Run.BinSeconds) + 1);
    Own.resize(Used);
    for (size_t Bin = 0; Bin < R.Bins.size(); ++Bin) {
      size_t At = size_t((double(Bin) + 0.5) * R.seconds(R.Header.bin_ticks) / Run.BinSeconds);
      if (At >= Used)
        continue;
      Own[At].first += R.seconds(R.Bins[Bin].in_mpi);
      Own[At].second += R.seconds(R.Bins[Bin].waiting);
    }
  }
}

//===- The whole ------------------------------------------------------------------------------===//

static std::vector<std::string> filesIn(StringRef Directory, std::error_code &EC) {
  std::vector<std::string> Files;
  for (sys::fs::directory_iterator I(Directory, EC), E; I != E && !EC; I.increment(EC))
    if (StringRef(I->path()).ends_with(".mpispec"))
      Files.push_back(I->path());
  llvm::sort(Files);
  return Files;
}

static constexpr uint64_t Second = 1000000000; ///< in nanoseconds

/// Did \p R end more than a second before \p Other began?
static bool endedBefore(const RankProfile &R, const RankProfile &Other) {
  return R.Header.began_at + uint64_t(R.runSeconds() * double(Second)) + Second <
         Other.Header.began_at;
}

/// Is \p R of the same run as \p First, the file of the lowest rank? The ranks of a run start
/// within a minute, with the same size of MPI_COMM_WORLD. They may have different programs, but
/// there is a time at which all of them execute. Times of two nodes are compared only roughly,
/// because their clocks may differ.
static bool isOfRun(const RankProfile &R, const RankProfile &First) {
  uint64_t L = R.Header.began_at, F = First.Header.began_at;
  const bool IsTogether = StringRef(R.Header.program) == First.Header.program ||
                          StringRef(R.Header.node) != First.Header.node ||
                          (!endedBefore(R, First) && !endedBefore(First, R));
  return R.Header.world_size == First.Header.world_size && IsTogether &&
         (L > F ? L - F : F - L) < 60 * Second;
}

/// Adds a complaint if the run has several programs, because the files may be of two jobs that ran
/// at the same time.
static void complainOfPrograms(ArrayRef<RankProfile> Ranks, std::vector<std::string> &Complaints) {
  std::set<std::string> Programs;
  for (const RankProfile &R : Ranks)
    Programs.insert(sys::path::filename(R.Header.program).str());
  if (Programs.size() > 1)
    Complaints.push_back(
        "the ranks have several programs: " + join(Programs, ", ") +
        "; if these are not of one job, profile each job in a directory of its own");
}

static std::vector<RankProfile> readRanks(ArrayRef<std::string> Files,
                                          std::vector<std::string> &Complaints) {
  std::vector<RankProfile> All;
  for (const std::string &File : Files) {
    if (sys::path::filename(File).contains("-of-process-")) {
      Complaints.push_back("'" + File + "' is of a spawned process, and is left out");
      continue;
    }
    Expected<RankProfile> R = readRankProfile(File);
    if (R)
      All.push_back(std::move(*R));
    else
      Complaints.push_back(toString(R.takeError()));
  }
  if (All.empty())
    return All;
  const RankProfile &First = *min_element(All, [](const RankProfile &L, const RankProfile &R) {
    return L.Header.rank < R.Header.rank;
  });
  std::vector<RankProfile> Run;
  for (const RankProfile &R : All)
    if (isOfRun(R, First))
      Run.push_back(R);
    else
      Complaints.push_back("'" + R.File + "' is of another run, and is left out; remove it");
  complainOfPrograms(Run, Complaints);
  return Run;
}

static void complainOfMissing(RunProfile &Run) {
  std::vector<std::string> Missing, CutShort;
  for (size_t R = 0; R < Run.Ranks.size(); ++R)
    if (!Run.Ranks[R].Known)
      Missing.push_back(std::to_string(R));
    else if (Run.Ranks[R].End == MPISPEC_PROFILE_CUT_SHORT)
      CutShort.push_back(std::to_string(R));
  auto Listed = [](ArrayRef<std::string> Ranks) {
    return join(Ranks.take_front(8), ", ") + (Ranks.size() > 8 ? ", ..." : "");
  };
  if (!Missing.empty())
    Run.Complaints.push_back(formatv("no profile of {0} of {1} ranks: {2}", Missing.size(),
                                     Run.Ranks.size(), Listed(Missing)));
  if (!CutShort.empty())
    Run.Complaints.push_back(formatv(
        "cut short, by MPI_Abort or a signal, or still running: rank {0}", Listed(CutShort)));
}

static void addRank(RunProfile &Run, const RankProfile &R,
                    std::map<std::tuple<std::string, uint64_t, std::string>, size_t> &Index) {
  Run.Ranks[R.Header.rank] = rankOf(R);
  for (const mpispec_profile_site &S : R.Sites) {
    std::string Object = S.address && S.object < R.Objects.size() ? R.Objects[S.object].path : "";
    auto [At, IsNew] =
        Index.try_emplace({Object, S.offset, std::string(S.function)}, Run.Sites.size());
    if (IsNew) {
      RunSite New;
      New.Function = S.address ? "MPI_" + std::string(S.function) : S.function;
      New.Object = Object;
      New.Offset = S.offset;
      New.Symbol = S.symbol;
      New.Ranks.resize(Run.Ranks.size());
      New.Addresses = {{Object, S.offset}};
      Run.Sites.push_back(std::move(New));
    }
    add(Run.Sites[At->second], R, S);
  }
  addPaths(Run, R);
  Run.Peers[R.Header.rank] = R.Peers;
  for (mpispec_profile_peer &P : Run.Peers[R.Header.rank])
    P.waiting = uint64_t(R.seconds(P.waiting) * 1e9);
}

static std::string identityOf(const RunProfile &Run, const mpispec_profile_header &First) {
  uint64_t Calls = 0;
  for (const RunSite &S : Run.Sites)
    Calls += S.Calls;
  return formatv("{0}-{1}-{2}", First.began_at, First.process, Calls);
}

/// Adds a complaint if some calls have no site of their own. It states their part of the time in
/// MPI.
static void complainOfOthers(RunProfile &Run) {
  for (const RunSite &S : Run.Sites)
    if (S.Object.empty() && S.Function == "other")
      Run.Complaints.push_back(formatv(
          "{0:F1} % of the time in MPI is in calls that are not in a row of their own: their place "
          "is not known, or the rank already had {1} sites or call paths",
          Run.InMPI > 0 ? 100 * S.Time / Run.InMPI : 0, MPISPEC_PROFILE_SITES - 1));
}

Expected<RunProfile> readRunProfile(StringRef Directory) {
  std::error_code EC;
  RunProfile Run;
  Run.Directory = Directory.str();
  std::vector<std::string> Files = filesIn(Directory, EC);
  if (EC)
    return createStringError("cannot read '" + Directory + "': " + EC.message());
  if (Files.empty())
    return createStringError("no profile in '" + Directory +
                             "'; run the program with MPISPEC_PROFILE=" + Directory);
  std::vector<RankProfile> Ranks = readRanks(Files, Run.Complaints);
  if (Ranks.empty())
    return createStringError(join(Run.Complaints, "\n"));
  const mpispec_profile_header &First = Ranks.front().Header;
  Run.Program = First.program;
  Run.Library = StringRef(First.library).trim().str();
  llvm::replace(Run.Library, '\t', ' ');
  Run.Ranks.resize(First.world_size);
  Run.BeganAt = First.began_at;
  Run.Peers.resize(First.world_size);
  std::map<std::tuple<std::string, uint64_t, std::string>, size_t> Index;
  for (const RankProfile &R : Ranks)
    addRank(Run, R, Index);
  addBins(Run, Ranks);
  complainOfMissing(Run);
  mergeSites(Run);
  complainOfOthers(Run);
  Run.Identity = identityOf(Run, First);
  return Run;
}

//===- Merging --------------------------------------------------------------------------------===//

template <typename Array> static void addEach(Array &To, const Array &From) {
  for (size_t I = 0; I < To.size(); ++I)
    To[I] += From[I];
}

static void merge(RunSite &To, const RunSite &From) {
  To.Addresses.insert(To.Addresses.end(), From.Addresses.begin(), From.Addresses.end());
  To.Calls += From.Calls;
  To.Bytes += From.Bytes;
  To.Time += From.Time;
  To.Computing += From.Computing;
  To.Waiting += From.Waiting;
  To.LateSender += From.LateSender;
  To.LateReceiver += From.LateReceiver;
  To.Longest = std::max(To.Longest, From.Longest);
  To.IsExact &= From.IsExact;
  To.Estimated |= From.Estimated;
  To.Threads |= From.Threads;
  To.Same += From.Same;
  To.RunOn += From.RunOn;
  To.Exchanges += From.Exchanges;
  addEach(To.Paths, From.Paths);
  addEach(To.Sizes, From.Sizes);
  for (auto [Into, Of] :
       {std::pair(&To.Peers, &From.Peers), std::pair(&To.Tags, &From.Tags),
        std::pair(&To.Lengths, &From.Lengths), std::pair(&To.Datatypes, &From.Datatypes)})
    for (const auto &[Name, Counts] : *Of) {
      (*Into)[Name].first += Counts.first;
      (*Into)[Name].second += Counts.second;
    }
  To.Communicators = std::max(To.Communicators, From.Communicators);
  for (size_t R = 0; R < To.Ranks.size(); ++R) {
    To.Ranks[R].Calls += From.Ranks[R].Calls;
    To.Ranks[R].Bytes += From.Ranks[R].Bytes;
    To.Ranks[R].Time += From.Ranks[R].Time;
    To.Ranks[R].Waiting += From.Ranks[R].Waiting;
    To.Ranks[R].Floor += From.Ranks[R].Floor;
  }
}

void mergeSites(RunProfile &Run) {
  std::map<std::tuple<std::string, unsigned, unsigned, std::string>, size_t> Index;
  std::vector<RunSite> Merged;
  for (RunSite &S : Run.Sites) {
    if (!S.File.empty()) {
      auto [At, IsNew] = Index.try_emplace({S.File, S.Line, S.Column, S.Function}, Merged.size());
      if (!IsNew) {
        merge(Merged[At->second], S);
        continue;
      }
    }
    Merged.push_back(std::move(S));
  }
  llvm::sort(Merged, [](const RunSite &L, const RunSite &R) {
    return std::tie(R.Time, L.Object, L.Offset, L.Function) <
           std::tie(L.Time, R.Object, R.Offset, R.Function);
  });
  Run.Sites = std::move(Merged);
  Run.Time = Run.InMPI = Run.Waiting = 0;
  for (RankOfRun &R : Run.Ranks)
    R.Waiting = 0;
  for (RunSite &S : Run.Sites)
    for (size_t R = 0; R < S.Ranks.size(); ++R) {
      Run.Ranks[R].Waiting += S.Ranks[R].Waiting;
      S.MostCalls = std::max(S.MostCalls, S.Ranks[R].Calls);
    }
  for (const RankOfRun &R : Run.Ranks) {
    Run.Time += R.Time;
    Run.InMPI += R.InMPI;
    Run.Waiting += R.Waiting;
  }
}

} // namespace mpispec
