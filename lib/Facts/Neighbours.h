//===- Neighbours.h - Comparisons of a ring neighbour with the caller -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   (rank(c) + k) % size(c) == rank(c)                     ->  k % size(c) == 0
//   (rank(c) == size(c) - 1 ? 0 : rank(c) + 1) == rank(c)  ->  size(c) == 1
//   (rank(c) + i) % size(c) == rank(c)                     ->  i % size(c) == 0, i a variable
//
// A program writes a ring neighbour as a remainder or as a choice. Both comparisons then reduce to
// the question whether the ring has one rank. The optimizer answers it if the program has tested
// `size > 1` before. For a variable step, the conditions around the call must imply that it lies
// between 0 and the size (AtCall.cpp).
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_NEIGHBOURS_H
#define MPISPEC_FACTS_NEIGHBOURS_H

#include "llvm/IR/Instructions.h"
#include <optional>

namespace mpispec {

/// A simpler value for the equality \p Compare, written in front of it; null if there is none.
/// Returns nothing if neither operand is the caller's rank.
std::optional<llvm::Value *> foldRankComparison(llvm::ICmpInst &Compare);

} // namespace mpispec
#endif
