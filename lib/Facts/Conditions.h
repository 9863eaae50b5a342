//===- Conditions.h - Relations that follow from conditions around a call ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   if (s > c || s < c)                 s and c differ
//     if (rank == c) MPI_Send(.., s)    c is the rank here, so that s and the rank differ, too
//
// The optimizer derives relations from each comparison alone. In the example only both comparisons
// together imply that s and c differ.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_CONDITIONS_H
#define MPISPEC_FACTS_CONDITIONS_H

#include "llvm/IR/Dominators.h"

namespace mpispec {

/// Do the conditions that are tested on every path to \p Where imply that \p X and \p Y differ?
bool differ(const llvm::Value &X, const llvm::Value &Y, const llvm::Instruction &Where,
            const llvm::DominatorTree &Dominators);

} // namespace mpispec
#endif
