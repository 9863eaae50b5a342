//===- Conditions.h - Relations that follow from conditions around a call ---------------------===//
//
//   if (s > c || s < c)                 s and c differ here; if c is the rank, s and the rank
//     if (rank == c) MPI_Send(.., s)    differ as well
//
// The optimizer tests each condition alone for a relation. "Above or below" implies it only by both
// halves together.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_CONDITIONS_H
#define MPISPEC_FACTS_CONDITIONS_H

#include "llvm/IR/Dominators.h"

namespace mpispec {

/// Do the conditions that were tested on every way to \p Where say that \p X and \p Y differ?
bool differ(const llvm::Value &X, const llvm::Value &Y, const llvm::Instruction &Where,
            const llvm::DominatorTree &Dominators);

} // namespace mpispec
#endif
