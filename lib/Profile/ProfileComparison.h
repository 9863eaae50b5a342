//===- ProfileComparison.h - Two runs, site by site -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two sites are the same if their place and MPI function are the same. A line may have moved
// between the runs. Then the same function of the program calls the same MPI function. Two such
// sites are the same if each run has only one of them. Two call paths are the same if each frame is
// the same. Among the other paths, two are the same if the functions of all frames are the same.
// Each run must have only one such path. The run with more frames loses its outer ones.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PROFILE_PROFILECOMPARISON_H
#define MPISPEC_PROFILE_PROFILECOMPARISON_H

#include "Profile/RunProfile.h"

namespace mpispec {

/// The sites, or the call paths, of one run that are one row of the comparison.
struct SideOfRow {
  unsigned Joined = 0; ///< how many they are; 0: the run has none
  uint64_t Calls = 0, Bytes = 0;
  double Time = 0, Waiting = 0; ///< seconds over all ranks
  std::vector<double> Ranks;    ///< the time of each rank; empty for paths

  double imbalance() const; ///< the longest time of a rank, divided by the mean
};

/// Where two places are joined, all but `Before` is of the later run.
struct ComparedRow {
  std::string Place;               ///< of a site
  std::vector<std::string> Frames; ///< of a path: "exchange (halo.c:12)", from the call outwards
  std::string Function;
  std::string Name;   ///< of the function, as its source writes it
  std::string Around; ///< the functions around the call; empty: unknown
  SideOfRow Before, After;
};

/// Most time of either run first.
std::vector<ComparedRow> compareSites(const RunProfile &Before, const RunProfile &After);

/// Empty unless both runs have frames.
std::vector<ComparedRow> comparePaths(const RunProfile &Before, const RunProfile &After);

void printComparison(const RunProfile &Before, const RunProfile &After, unsigned Width,
                     size_t MostSites, llvm::raw_ostream &OS);
void printComparisonCSV(const RunProfile &Before, const RunProfile &After, llvm::raw_ostream &OS);

/// The comparison as JSON:
///
///     {"schema": "mpispec-profile-comparison/1", "before": RUN, "after": RUN,
///      "sites": [{"place", "function", "before": SIDE, "after": SIDE}],
///      "paths": [{"frames": [LABEL], "function", "before": SIDE, "after": SIDE}],
///      "advice": [{"id", "place", "text", "state": "gone" | "still" | "new"}]}
///     RUN: "directory", "program", "ranks", "longest", and the sums "seconds", "in_mpi", "waiting"
///     SIDE: "calls", "bytes", "seconds", "waiting", and "imbalance" of a site
llvm::json::Object comparisonValue(const RunProfile &Before, const RunProfile &After);

} // namespace mpispec
#endif
