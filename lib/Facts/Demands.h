//===- Demands.h - Requirements of MPI on an argument, by its role ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_FACTS_DEMANDS_H
#define MPISPEC_FACTS_DEMANDS_H

#include "Facts/CallCopy.h"

namespace mpispec {

/// Appends a message to \p Messages for each argument of \p Copy that breaks a requirement of its
/// role (Demands.def).
void findBrokenDemands(const CallCopy &Copy, std::vector<std::string> &Messages);

} // namespace mpispec
#endif
