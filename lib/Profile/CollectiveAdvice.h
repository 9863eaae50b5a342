//===- CollectiveAdvice.h - Advice about collective operations --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A collective call site has one finding if one of the parts of its time (CollectiveTime.h) is at
// least LeastShare of the run's time. The finding names all parts, and its ID is that of the
// largest part:
//
//   imbalance    the others wait for one rank, which has more work before the call or a slower core
//   varying      calls of one size take different times, because different ranks are late
//   transfer     calls of many bytes: algorithm, data path and placement determine the time
//   short-calls  calls of few bytes: the number of calls determines the time
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PROFILE_COLLECTIVEADVICE_H
#define MPISPEC_PROFILE_COLLECTIVEADVICE_H

#include "Profile/RunProfile.h"

namespace mpispec {

void findCollectives(const RunProfile &Run, std::vector<Advice> &Found);

/// The proposal to bind each rank to a core of its own.
Proposal bindingProposal(const RunProfile &Run);

} // namespace mpispec
#endif
