//===- SideMistakes.h - Mistakes in the buffers of a call -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A side is a buffer with its count and datatype (transfersOf). The rules concern one side, or the
// relation of two sides. Each rule tests one copy of the call.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_SIDEMISTAKES_H
#define MPISPEC_FACTS_SIDEMISTAKES_H

#include "Facts/CallCopy.h"

namespace mpispec {

/// Appends a message to \p Messages for each mistake of the sides of \p Copy.
void findSideMistakes(const CallCopy &Copy, std::vector<std::string> &Messages);

} // namespace mpispec
#endif
