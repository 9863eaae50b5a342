//===- ProfileComparison.h - Two runs, site by site -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sites of the two runs form one row if their place and their MPI function are equal. A line may
// have moved between the runs. Then two sites without a partner form one row if the same function
// of the program calls the same MPI function. Each run must have only one such site. Call
// paths form one row if all frames are equal. They also form one row if the functions of all frames
// are equal, and neither run has another such path. If one run has more frames, its outer frames
// are left out.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PROFILE_PROFILECOMPARISON_H
#define MPISPEC_PROFILE_PROFILECOMPARISON_H

#include "Profile/RunProfile.h"

namespace mpispec {

/// The sites, or the call paths, of one run that form one row of the comparison.
struct SideOfRow {
  unsigned Joined = 0; ///< the number of joined sites or paths; 0: the run has none
  uint64_t Calls = 0, Bytes = 0;
  double Time = 0, Waiting = 0; ///< seconds over all ranks
  std::vector<double> Ranks;    ///< the time of each rank; empty for paths

  double imbalance() const; ///< the longest time of a rank, divided by the mean
};

/// If the sites of a row have different places, all fields but `Before` and `PlaceBefore` come from
/// the later run.
struct ComparedRow {
  std::string Place;               ///< the place of a site
  std::string PlaceBefore;         ///< its place in the earlier run, if that is another one
  std::vector<std::string> Frames; ///< the frames of a path, the call first: "exchange (halo.c:12)"
  std::string Function;
  std::string Name;   ///< the function's name as the source writes it
  std::string Around; ///< the functions around the call; empty: unknown
  SideOfRow Before, After;
};

/// Returns the rows, sorted by the longer time of the two runs, longest first.
std::vector<ComparedRow> compareSites(const RunProfile &Before, const RunProfile &After);

/// The same for call paths. The result is empty unless both runs have frames.
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
