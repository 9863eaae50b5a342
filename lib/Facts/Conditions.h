//===- Conditions.h - What the conditions around a call say -----------------------------------===//
//
//     if (s > c || s < c)                 s and c differ here, and where c is the rank,
//       if (rank == c) MPI_Send(.., s)    so do s and the rank
//
// The optimizer asks of each condition by itself whether it says something; "above or below" says
// it by both its halves together.
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
