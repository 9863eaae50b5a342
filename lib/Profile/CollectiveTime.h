//===- CollectiveTime.h - Where the time of a collective call goes ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rank that comes last does not wait: its time in the call is that of the transfer. The
// other ranks' time beyond it is imbalance. The last rank's own calls differ, too. Time beyond the
// shortest call of the same size varies: ranks come late in turn, or the system interrupts them.
//
//     time of a rank |========transfer========|---varying---|...imbalance...|
//                    0          shortest call      last rank           this rank
//
// Calls of few bytes have no transfer to speak of, but latency. Up to 20 us a call count as such.
//
// The measured waiting is not used here: it includes polls while data is on its way.
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

/// Does a call move so few bytes that its latency is all of its cost?
bool isShortCall(const RunSite &Site);

/// Ranks with the same number of calls are taken as one communicator. If the function has one
/// length on all ranks, they must have the same number of bytes, too.
CollectiveTime splitTime(const RunProfile &Run, const RunSite &Site);

} // namespace mpispec
#endif
