//===- Neighbours.h - Is a neighbour in a ring the caller itself? -----------------------------===//
//
//   (rank(c) + k) % size(c) == rank(c)                     ->  k % size(c) == 0
//   (rank(c) == size(c) - 1 ? 0 : rank(c) + 1) == rank(c)  ->  size(c) == 1
//   (rank(c) + i) % size(c) == rank(c)                     ->  i % size(c) == 0, i a variable
//
// A neighbour in a ring, as a remainder and as a choice: both ask whether the ring has one rank.
// The optimizer takes it from there, and has its answer if the program asked `size > 1` before. A
// neighbour on either side is no more. Of a variable step the conditions around the call say that
// it is between 0 and the size, if anything does (AtCall.cpp).
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_NEIGHBOURS_H
#define MPISPEC_FACTS_NEIGHBOURS_H

#include "llvm/IR/Instructions.h"
#include <optional>

namespace mpispec {

/// What \p Compare, of equality, is in simpler words, written in front of it; null if there are
/// none. Nothing, if neither operand is the caller's rank.
std::optional<llvm::Value *> foldRankComparison(llvm::ICmpInst &Compare);

} // namespace mpispec
#endif
