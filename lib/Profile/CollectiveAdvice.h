//===- CollectiveAdvice.h - Advice about collective operations --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each collective call site that takes a twentieth of the run for one reason has one finding. It
// names the parts of its time (CollectiveTime.h), and its ID is the largest part:
//
//   imbalance    the others wait for one rank: its work before the call, or its core
//   varying      calls of one size take different times: ranks come late in turn
//   transfer     the bytes take the time: algorithm, way of the data, placement
//   short-calls  calls of few bytes: the number of calls takes the time
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PROFILE_COLLECTIVEADVICE_H
#define MPISPEC_PROFILE_COLLECTIVEADVICE_H

#include "Profile/RunProfile.h"

namespace mpispec {

void findCollectives(const RunProfile &Run, std::vector<Advice> &Found);

/// Each rank on a core of its own.
Proposal bindingProposal(const RunProfile &Run);

} // namespace mpispec
#endif
