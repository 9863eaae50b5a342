//===- CollectiveTime.h - Where the time of a collective call goes ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rank that enters the calls last does not wait. The other ranks take longer, and the
// difference is *imbalance*. The rest of a rank's time has two parts. The time of the shortest call
// of the same size is *transfer*. The last rank's time beyond the transfer is *varying*: different
// ranks are late in different calls, or the system interrupts them.
//
//     time of a rank |========transfer========|---varying---|...imbalance...|
//                    0          shortest call      last rank           this rank
//
// Calls of few bytes cost mostly latency. Their time up to MostLatency per call counts as transfer.
// For calls of many bytes, the last rank's mean time per call is compared with the shortest call.
// If the mean is at most MostSpread times as long, all of it counts as transfer.
//
// The measured waiting time is not used here, because it includes polls while data is being
// transferred.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PROFILE_COLLECTIVETIME_H
#define MPISPEC_PROFILE_COLLECTIVETIME_H

#include "Profile/RunProfile.h"

namespace mpispec {

/// Seconds over all ranks; their sum is the time of the site.
struct CollectiveTime {
  double Imbalance = 0, Varying = 0, Transfer = 0;
  int Last = -1; ///< the rank that the others wait for; -1 if the site has no imbalance
};

/// Does a call move so few bytes that only latency counts?
bool isShortCall(const RunSite &Site);

/// Treats ranks as one communicator if their numbers of calls differ by at most one. If the MPI
/// function requires the same length on all ranks, their bytes per call must also be equal.
CollectiveTime splitTime(const RunProfile &Run, const RunSite &Site);

} // namespace mpispec
#endif
