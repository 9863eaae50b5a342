//===- Folds.h - Simplifications that need knowledge of MPI -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   rank(MPI_COMM_SELF)   -> 0              size(MPI_COMM_SELF) -> 1
//   bytes(MPI_DOUBLE)     -> 8              for every predefined datatype without a gap
//   bytes(made(n * 8))    -> n * 8          for a derived datatype that is made in the unit
//   f(x ? MPI_INT : 0)    -> f(MPI_INT)     also f(static variable) where only MPI_INT is stored
//   table[i]              -> a number between the table's smallest and its largest
//
// Neighbours.h has the comparisons with the caller's rank.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_FOLDS_H
#define MPISPEC_FACTS_FOLDS_H

#include "Frontend/CallSite.h"
#include "Frontend/HandleProbe.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace mpispec {

/// Runs after each run of LLVM's instruction combining.
class FoldMPI : public llvm::PassInfoMixin<FoldMPI> {
public:
  /// \p Sites: the calls whose handle arguments are folded.
  FoldMPI(const Handles &Values, llvm::ArrayRef<CallSite> Sites);
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &);

private:
  llvm::Value *fold(llvm::Instruction &I) const;
  llvm::Value *foldCall(llvm::CallInst &Call) const;
  bool foldHandles(llvm::CallBase &Call) const;

  const Handles *Values;
  llvm::ArrayRef<CallSite> Sites;
  bool HandlesAreNotZero;
};

/// All elements of the constant table from which \p Load reads one. Empty if \p Load reads no
/// table.
llvm::SmallVector<const llvm::Constant *, 4> tableElements(const llvm::LoadInst &Load);

} // namespace mpispec
#endif
