//===- RunProfile.h - A run: the files of all ranks, joined -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call site consists of an MPI function and the return address of its call: an object (program
// or library) and an offset in it. Sites of different ranks are the same if all three are equal. If
// the compiler has inlined a call several times, each copy is a site. The copies are joined when
// their source locations are known (Places.h).
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PROFILE_RUNPROFILE_H
#define MPISPEC_PROFILE_RUNPROFILE_H

#include "Profile/RankProfile.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <map>

namespace mpispec {

/// The calls of one rank at a site; times are in seconds.
struct SiteOfRank {
  uint64_t Calls = 0, Bytes = 0;
  double Time = 0, Waiting = 0;
  /// The time if each call had taken as long as the shortest call of its size on this rank.
  double Floor = 0;
};

/// Calls and bytes for each value that an argument had. The key is the value's name, or "other".
using ValueCounts = std::map<std::string, std::pair<uint64_t, uint64_t>>;

struct RunSite {
  std::string Function;     ///< MPI_Send
  std::string Object;       ///< path of the program or library
  uint64_t Offset = 0;      ///< offset of the return address in the object
  std::string Symbol;       ///< the symbol around the call; may be empty
  std::string File, Within; ///< place in the source and the function around it; may be empty
  unsigned Line = 0, Column = 0;
  /// False: the place may be that of an outer call, which led to the MPI call (TailCalls.h).
  bool IsExact = true;
  uint64_t Calls = 0, Bytes = 0;
  double Time = 0, Waiting = 0; ///< seconds, over all ranks
  double Computing = 0;         ///< seconds outside of MPI, right before calls; estimated
  double LateSender = 0, LateReceiver = 0, Longest = 0;
  bool Estimated = false; ///< waiting is the time beyond the shortest call of each size
  bool Threads = false;
  uint64_t Same = 0, RunOn = 0, Exchanges = 0;
  mpispec_profile_waits WaitsFor = MPISPEC_WAITS_FOR_ANY;
  std::array<uint64_t, MPISPEC_PATHS> Paths{};
  std::array<uint64_t, MPISPEC_PROFILE_SIZES> Sizes{}; ///< calls
  ValueCounts Peers, Tags;
  ValueCounts Lengths;           ///< bytes of calls
  ValueCounts Datatypes;         ///< by name; "derived" for those without one
  unsigned Communicators = 0;    ///< the most that one rank is known to have used; a lower bound
  std::vector<SiteOfRank> Ranks; ///< [ranks of the run]
  uint64_t MostCalls = 0;        ///< the calls of the rank with most calls
  /// Every object and offset that was merged into this site; the first is `Object` and `Offset`.
  std::vector<std::pair<std::string, uint64_t>> Addresses;

  std::string place() const; ///< file:line, symbol, or object+offset
  /// The function as users write it: MPI_SEND in a source in Fortran.
  std::string name() const;
  double fastShare() const { return Calls ? double(Paths[MPISPEC_PATH_FAST]) / double(Calls) : 0; }
  mpispec_profile_path mainObstacle() const; ///< MPISPEC_PATH_FAST if there is none
  /// The longest time of a rank at this site, divided by the mean; 1 is balanced.
  double imbalance() const;
};

/// A frame of a call path: an address, and its place in the source as far as it is known.
struct RunFrame {
  std::string Object;
  uint64_t Offset = 0; ///< the offset of the return address in the object
  std::string Function, File;
  unsigned Line = 0;
};

/// A call path (CallPaths.h); times are in seconds, over all ranks.
struct RunPath {
  std::string Function;         ///< MPI_Send
  std::vector<RunFrame> Frames; ///< the call first; empty: calls without an entry in a rank's table
  uint64_t Calls = 0, Bytes = 0;
  double Time = 0, Waiting = 0;
  bool Estimated = false; ///< the same as in RunSite

  std::string name() const; ///< the same as in RunSite
};

struct RankOfRun {
  bool Known = false;
  std::string Node;
  std::vector<unsigned> Cores; ///< the cores on which it may run
  unsigned CoresOnline = 0;
  bool HasLanes = false; ///< the runtime opened lanes
  double Time = 0, InMPI = 0, Waiting = 0;
  double Setup[MPISPEC_PROFILE_SETUPS] = {}; ///< seconds in MPI_Init and similar functions
  uint64_t CollectiveCalls = 0, CollectiveBytes = 0;
  mpispec_profile_end End = MPISPEC_PROFILE_CUT_SHORT;
};

struct RunProfile {
  std::string Directory, Program, Library;
  std::string Identity; ///< differs between runs; changes if the files contain more calls
  uint64_t BeganAt = 0; ///< nanoseconds since 1970
  /// The files that the program's units were compiled from, as far as debugging information names
  /// them.
  std::vector<std::string> Sources;
  std::vector<RankOfRun> Ranks;                         ///< [size of MPI_COMM_WORLD]
  std::vector<RunSite> Sites;                           ///< most time first
  unsigned Frames = 0;                                  ///< frames above the call in a path
  std::vector<RunPath> Paths;                           ///< most time first
  std::vector<std::vector<mpispec_profile_peer>> Peers; ///< [from][to]; `waiting` in nanoseconds
  double BinSeconds = 0;
  std::vector<std::vector<std::pair<double, double>>> Bins; ///< [rank]: in MPI, waiting; seconds
  std::vector<std::string> Complaints; ///< notes for the user, for example about broken files

  double Time = 0, InMPI = 0, Waiting = 0; ///< summed over ranks, in seconds
};

/// Fails if \p Directory has no readable file of a rank. The error gives the reason.
llvm::Expected<RunProfile> readRunProfile(llvm::StringRef Directory);

/// \p Function as users write it in the language of \p File: MPI_SEND in Fortran.
std::string nameIn(llvm::StringRef File, llvm::StringRef Function);

/// The ticks that a rank waited at a site. Sets \p IsEstimated if the waits could not be observed.
uint64_t waitingAt(const mpispec_profile_site &Site, bool &IsEstimated);

/// Joins sites with the same place and function. Sorts the sites, most time first, and sums up the
/// times of the run. Must be called again after the places are filled in.
void mergeSites(RunProfile &Run);

/// The fast path, or the obstacle, in words: "the message is too long".
llvm::StringRef textOf(mpispec_profile_path Path);
llvm::StringRef keyOf(mpispec_profile_path Path);

/// A change that may help, and how to start the program with it. A proposal without options and
/// variables only describes the change, for example of the program's source.
struct Proposal {
  std::string Text;
  std::vector<std::string> Launcher;  ///< options of mpiexec
  std::vector<std::string> Variables; ///< NAME=VALUE
};

/// A finding about the run, with the changes that may help.
struct Advice {
  std::string ID, Place, Text;
  double Seconds; ///< the time that it concerns, over all ranks
  std::vector<Proposal> Proposals{};
  /// The parts of a collective call's time (CollectiveTime.h), each as a share of the run's time.
  std::map<std::string, double> Shares{};
  int Rank = -1; ///< the rank that the others wait for, if there is one
};
/// The advice about the largest time comes first.
std::vector<Advice> adviceFor(const RunProfile &Run);

void printProfile(const RunProfile &Run, unsigned Width, size_t MostSites, llvm::raw_ostream &OS);
void printProfileCSV(const RunProfile &Run, llvm::raw_ostream &OS);
llvm::json::Object profileValue(const RunProfile &Run);

} // namespace mpispec
#endif
