//===- Remainders.h - Remainders that are no negative number ----------------------------------===//
//
//     for (int k = 1; k < size; k++)
//       MPI_Recv(.., (rank - k + size) % size, ..)      0 <= k <= size, so that is no wildcard
//
// A remainder has the sign of its numerator, and all names for special peers are negative numbers.
// Ranges of variables do not tell the numerator's sign where one that is subtracted (k) is bounded
// by one that is added (size): here they are taken in pairs.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_REMAINDERS_H
#define MPISPEC_FACTS_REMAINDERS_H

#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

namespace mpispec {

/// Is \p V, an integer, a signed remainder of a numerator that is not negative where \p Call is?
bool isRemainderOfPositive(llvm::Value *V, llvm::CallBase &Call, llvm::ScalarEvolution &Loops,
                           llvm::LazyValueInfo &Conditions);

} // namespace mpispec
#endif
