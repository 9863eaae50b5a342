//===- Folds.h - Simplifications that only MPI knows ------------------------------------------===//
//
//   rank(MPI_COMM_SELF)            -> 0        size(MPI_COMM_SELF) -> 1
//   bytes(MPI_DOUBLE)              -> 8        for every predefined datatype without a gap
//   (rank(c) + k) % size(c) == rank(c)                  ->  k % size(c) == 0
//   (rank(c) == size(c) - 1 ? 0 : rank(c) + 1) == rank(c)  ->  size(c) == 1
//
// The last two are the neighbour in a ring, as a remainder and as a choice: both ask whether the
// ring has one rank. The optimizer takes it from there, and has its answer if the program asked
// `size > 1` before.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_FOLDS_H
#define MPISPEC_FACTS_FOLDS_H

#include "Frontend/HandleProbe.h"
#include "llvm/IR/PassManager.h"

namespace mpispec {

/// Runs next to LLVM's instruction combining, each time it runs.
class FoldMPI : public llvm::PassInfoMixin<FoldMPI> {
public:
  explicit FoldMPI(const Handles &Values) : Values(&Values) {}
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &);

private:
  llvm::Value *foldCall(llvm::CallInst &Call) const;
  const Handles *Values;
};

} // namespace mpispec
#endif
