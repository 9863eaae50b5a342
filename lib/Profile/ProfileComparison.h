//===- ProfileComparison.h - Two runs, site by site -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two sites are the same if their place and MPI function are the same. A line may have moved
// between the runs. Then the same function of the program calls the same MPI function. Two such
// sites are the same if each run has only one of them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PROFILE_PROFILECOMPARISON_H
#define MPISPEC_PROFILE_PROFILECOMPARISON_H

#include "Profile/RunProfile.h"

namespace mpispec {

/// The sites of one run that are one row of the comparison.
struct SideOfRow {
  std::vector<const RunSite *> Sites; ///< none: the run has no such site
  uint64_t Calls = 0, Bytes = 0;
  double Time = 0, Waiting = 0; ///< seconds over all ranks
  double Imbalance = 1;         ///< the longest time of a rank, divided by the mean
};

struct ComparedSite {
  std::string Place, Function; ///< the place in the later run, if it is there
  std::string Name;            ///< the name of the function as the source writes it
  SideOfRow Before, After;
};

/// Most time of either run first. The rows refer to the sites of both runs.
std::vector<ComparedSite> compareSites(const RunProfile &Before, const RunProfile &After);

void printComparison(const RunProfile &Before, const RunProfile &After, unsigned Width,
                     size_t MostSites, llvm::raw_ostream &OS);
void printComparisonCSV(const RunProfile &Before, const RunProfile &After, llvm::raw_ostream &OS);

/// The comparison as JSON:
///
///     {"schema": "mpispec-profile-comparison/1", "before": RUN, "after": RUN,
///      "sites": [{"place", "function", "before": SIDE, "after": SIDE}],
///      "advice": [{"id", "place", "text", "state": "gone" | "still" | "new"}]}
///     RUN: "directory", "program", "ranks", "longest", and the sums "seconds", "in_mpi", "waiting"
///     SIDE: "calls", "bytes", "seconds", "waiting", "imbalance"
llvm::json::Object comparisonValue(const RunProfile &Before, const RunProfile &After);

} // namespace mpispec
#endif
