//===- FieldValues.h - Fields to which a unit assigns one value -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   static void exchange(const struct halo *h) { MPI_Send(h->row, h->n, h->type, ...); }
//   ...  struct halo h = {row, 4, MPI_DOUBLE};  exchange(&h);
//
// For the optimizer, memory behind a pointer is unknown in a called function, and after each MPI
// call. If the unit contains all callers, and passes their structures to no other code, all stores
// to such a structure are in the unit. A field to which only one constant is ever stored has this
// constant wherever it is read.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_FIELDVALUES_H
#define MPISPEC_FACTS_FIELDVALUES_H

#include "llvm/IR/PassManager.h"

namespace mpispec {

/// Replaces reads of such fields. Runs once, after local variables are promoted to registers and
/// before constants are propagated between functions.
class FoldFieldValues : public llvm::PassInfoMixin<FoldFieldValues> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace mpispec
#endif
