//===- Repetition.h - Whether a call is executed repeatedly -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline code is worth its bytes where a call is executed repeatedly. The translation unit shows
// loops around the call, loops around calls of its function, and so on outwards. The search runs
// after the optimizer. The body of an inlined function is then in its caller's loop.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_REPETITION_H
#define MPISPEC_FACTS_REPETITION_H

#include "Facts/Facts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace mpispec {

class Repetitions {
public:
  explicit Repetitions(llvm::FunctionAnalysisManager &Analyses) : Analyses(Analyses) {}
  Repetition of(const llvm::CallBase &Call);

private:
  Repetition of(const llvm::Function &F);

  llvm::FunctionAnalysisManager &Analyses;
  llvm::DenseMap<const llvm::Function *, Repetition> Known;
};

} // namespace mpispec
#endif
