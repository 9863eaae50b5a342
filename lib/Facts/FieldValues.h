//===- FieldValues.h - Fields that a unit gives one value -------------------------------------===//
//
//     static void exchange(const struct halo *h) { MPI_Send(h->row, h->n, h->type, ...); }
//     ...  struct halo h = {row, 4, MPI_DOUBLE};  exchange(&h);
//
// To the optimizer what a pointer leads to is unknown beyond the function that is called, and after
// each call of MPI. But where all callers are in sight, and nothing that they hand over is seen by
// anybody else, all that is ever stored in it is in sight, too. A field into which nothing but one
// constant is stored has that constant wherever it is read.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_FIELDVALUES_H
#define MPISPEC_FACTS_FIELDVALUES_H

#include "llvm/IR/PassManager.h"

namespace mpispec {

/// Replaces reads of such fields. Runs once, when variables are no memory any more and before
/// values are carried from function to function.
class FoldFieldValues : public llvm::PassInfoMixin<FoldFieldValues> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace mpispec
#endif
