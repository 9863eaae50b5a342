//===- Remainders.h - Remainders that are never negative --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (int k = 1; k < size; k++)
//     MPI_Recv(.., (rank - k + size) % size, ..)      0 <= k <= size: the source is no wildcard
//
// A remainder has the sign of its numerator, and all names for special peers are negative numbers.
// The range of each variable alone does not give the numerator's sign if a subtracted variable (k)
// is bounded by an added variable (size). Therefore this file considers such variables in pairs.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_REMAINDERS_H
#define MPISPEC_FACTS_REMAINDERS_H

#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

namespace mpispec {

/// Is the integer \p V a signed remainder whose numerator is not negative at \p Call?
bool isRemainderOfPositive(llvm::Value *V, llvm::CallBase &Call, llvm::ScalarEvolution &Loops,
                           llvm::LazyValueInfo &Conditions);

} // namespace mpispec
#endif
