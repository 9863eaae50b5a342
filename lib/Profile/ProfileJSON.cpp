//===- ProfileJSON.cpp - A profile as JSON ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     {"schema": "mpispec-profile/1",
//      "program": "/home/me/halo", "library": "MPICH Version: 4.0.2", "complaints": ["..."],
//      "identity": "...", "sources": ["/home/me/halo.c"],       no other run has the identity
//      "seconds": 8.1, "in_mpi": 2.5, "waiting": 1.2,           sums over ranks, also in "sites"
//      "ranks": [{"node": "n1", "cores": [0], "seconds": 4.05, "in_mpi": 1.2, "waiting": 0.6,
//                 "init": 0.2, "finalize": 0.1,     seconds in MPI_Init and MPI_Finalize,
//                 "communicators": 0.05,            and to make and free communicators
//                 "collective_calls": 20, "collective_bytes": 160000,
//                 "end": "finalized" | "exited" | "cut short" | "missing"}],
//      "sites": [{"function": "MPI_Send", "file": "/home/me/halo.c", "line": 12, "column": 3,
//                 "exact": true,            false: the place may be that of an outer call
//                 "within": "exchange", "object": "/home/me/halo", "offset": 4711,
//                 "place": "halo.c:12",
//                 "name": "MPI_Send",       the function as users write it: MPI_SEND in Fortran
//                 "calls": 1000, "bytes": 8000, "seconds": 0.1,
//                 "waiting": 0.05, "longest": 0.001,
//                 "computing": 1.5,         outside of MPI, right before the calls; estimated
//                 "late_sender": 0, "late_receiver": 0.05,
//                 "estimated": false, "threads": false, "imbalance": 1.2, "same": 0, "run_on": 0,
//                 "exchanges": 0,
//                 "paths": {"fast": 900, "no-room": 100},       calls by obstacle; fast: none
//                 "sizes": {"8": 1000},                         calls of 8 to 15 bytes
//                 "peers": {"1": [1000, 8000]},                 calls and bytes by value
//                 "tags": {"7": [1000, 8000]}, "lengths": {"8": [1000, 8000]},
//                 "datatypes": {"MPI_DOUBLE": [1000, 8000]}, "communicators": 1,
//                 "most_calls": 500,                            of one rank
//                 "addresses": [["/home/me/halo", 4711]],       the copies of the call
//                 "ranks": [[calls, bytes, seconds, waiting], ...]}],
//      "frames": 3, "paths": [...],      call paths: CallPaths.h has their form
//      "matrix": [[from, to, messages, bytes, waiting], ...],   seconds that `from` waits for `to`
//      "timeline": {"bin": 0.01, "ranks": [[[in_mpi, waiting], ...], ...]},
//      "advice": [{"id": "imbalance", "place": "halo.c:12", "text": "...", "seconds": 0.1,
//                  "rank": 2,                                the rank that others wait for; or null
//                  "shares": {"imbalance": 0.3},             parts of the run, for collective calls
//                  "proposals": [{"text": "...", "launcher": ["-bind-to", "core"],
//                                 "variables": ["NAME=VALUE"]}]}]}
//
//===------------------------------------------------------------------------------------------===//
#include "Profile/CallPaths.h"
#include "Profile/RunProfile.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace mpispec {

static json::Object valuesOf(const ValueCounts &Values) {
  json::Object Result;
  for (const auto &[Name, Counts] : Values)
    Result[Name] = json::Array{Counts.first, Counts.second};
  return Result;
}

static json::Value siteOf(const RunSite &S) {
  json::Object Paths, Sizes;
  json::Array Ranks, Addresses;
  for (unsigned P = 0; P < MPISPEC_PATHS; ++P)
    if (S.Paths[P])
      Paths[keyOf(static_cast<mpispec_profile_path>(P))] = S.Paths[P];
  for (unsigned K = 0; K < MPISPEC_PROFILE_SIZES; ++K)
    if (S.Sizes[K])
      Sizes[std::to_string(K ? uint64_t(1) << (K - 1) : 0)] = S.Sizes[K];
  for (const SiteOfRank &R : S.Ranks)
    Ranks.push_back(json::Array{R.Calls, R.Bytes, R.Time, R.Waiting});
  for (const auto &[Object, Offset] : S.Addresses)
    Addresses.push_back(json::Array{json::fixUTF8(Object), Offset});
  return json::Object{{"function", S.Function},
                      {"file", json::fixUTF8(S.File)},
                      {"line", S.Line},
                      {"column", S.Column},
                      {"exact", S.IsExact},
                      {"within", json::fixUTF8(S.Within)},
                      {"object", json::fixUTF8(S.Object)},
                      {"offset", S.Offset},
                      {"place", json::fixUTF8(S.place())},
                      {"name", S.name()},
                      {"calls", S.Calls},
                      {"bytes", S.Bytes},
                      {"seconds", S.Time},
                      {"waiting", S.Waiting},
                      {"computing", S.Computing},
                      {"longest", S.Longest},
                      {"late_sender", S.LateSender},
                      {"late_receiver", S.LateReceiver},
                      {"estimated", S.Estimated},
                      {"threads", S.Threads},
                      {"imbalance", S.imbalance()},
                      {"same", S.Same},
                      {"run_on", S.RunOn},
                      {"exchanges", S.Exchanges},
                      {"paths", std::move(Paths)},
                      {"sizes", std::move(Sizes)},
                      {"peers", valuesOf(S.Peers)},
                      {"tags", valuesOf(S.Tags)},
                      {"lengths", valuesOf(S.Lengths)},
                      {"datatypes", valuesOf(S.Datatypes)},
                      {"communicators", S.Communicators},
                      {"most_calls", S.MostCalls},
                      {"addresses", std::move(Addresses)},
                      {"ranks", std::move(Ranks)}};
}

static StringRef endOf(const RankOfRun &R) {
  return !R.Known                             ? "missing"
         : R.End == MPISPEC_PROFILE_FINALIZED ? "finalized"
         : R.End == MPISPEC_PROFILE_EXITED    ? "exited"
                                              : "cut short";
}

static json::Value rankOf(const RankOfRun &R) {
  json::Array Cores;
  for (unsigned Core : R.Cores)
    Cores.push_back(Core);
  return json::Object{{"node", json::fixUTF8(R.Node)},
                      {"cores", std::move(Cores)},
                      {"seconds", R.Time},
                      {"in_mpi", R.InMPI},
                      {"waiting", R.Waiting},
                      {"init", R.Setup[MPISPEC_PROFILE_INIT]},
                      {"finalize", R.Setup[MPISPEC_PROFILE_FINALIZE]},
                      {"communicators", R.Setup[MPISPEC_PROFILE_COMMUNICATORS]},
                      {"collective_calls", R.CollectiveCalls},
                      {"collective_bytes", R.CollectiveBytes},
                      {"end", endOf(R)}};
}

static json::Array matrixOf(const RunProfile &Run) {
  json::Array Matrix;
  for (size_t From = 0; From < Run.Peers.size(); ++From)
    for (size_t To = 0; To < Run.Peers[From].size(); ++To) {
      const mpispec_profile_peer &P = Run.Peers[From][To];
      if (P.messages || P.waiting)
        Matrix.push_back(json::Array{From, To, P.messages, P.bytes, double(P.waiting) * 1e-9});
    }
  return Matrix;
}

static json::Array timelineOf(const RunProfile &Run) {
  json::Array Ranks;
  for (const auto &Bins : Run.Bins) {
    json::Array Own;
    for (const auto &[InMPI, Waiting] : Bins)
      Own.push_back(json::Array{InMPI, Waiting});
    Ranks.push_back(std::move(Own));
  }
  return Ranks;
}

static json::Value adviceOf(const Advice &A) {
  json::Array Proposals;
  json::Object Shares;
  for (const Proposal &P : A.Proposals)
    Proposals.push_back(json::Object{{"text", json::fixUTF8(P.Text)},
                                     {"launcher", json::Array(P.Launcher)},
                                     {"variables", json::Array(P.Variables)}});
  for (const auto &[Name, Share] : A.Shares)
    Shares[Name] = Share;
  return json::Object{{"id", A.ID},
                      {"place", json::fixUTF8(A.Place)},
                      {"text", json::fixUTF8(A.Text)},
                      {"seconds", A.Seconds},
                      {"rank", A.Rank < 0 ? json::Value(nullptr) : json::Value(A.Rank)},
                      {"shares", std::move(Shares)},
                      {"proposals", std::move(Proposals)}};
}

json::Object profileValue(const RunProfile &Run) {
  json::Array Complaints, Sources, Ranks, Sites, All;
  for (const std::string &S : Run.Sources)
    Sources.push_back(json::fixUTF8(S));
  for (const std::string &C : Run.Complaints)
    Complaints.push_back(json::fixUTF8(C));
  for (const RankOfRun &R : Run.Ranks)
    Ranks.push_back(rankOf(R));
  for (const RunSite &S : Run.Sites)
    Sites.push_back(siteOf(S));
  for (const Advice &A : adviceFor(Run))
    All.push_back(adviceOf(A));
  return json::Object{
      {"schema", "mpispec-profile/1"},
      {"program", json::fixUTF8(Run.Program)},
      {"library", json::fixUTF8(Run.Library)},
      {"identity", Run.Identity},
      {"sources", std::move(Sources)},
      {"complaints", std::move(Complaints)},
      {"seconds", Run.Time},
      {"in_mpi", Run.InMPI},
      {"waiting", Run.Waiting},
      {"ranks", std::move(Ranks)},
      {"sites", std::move(Sites)},
      {"frames", Run.Frames},
      {"paths", pathsValue(Run)},
      {"matrix", matrixOf(Run)},
      {"timeline", json::Object{{"bin", Run.BinSeconds}, {"ranks", timelineOf(Run)}}},
      {"advice", std::move(All)}};
}

} // namespace mpispec
