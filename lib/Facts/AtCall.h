//===- AtCall.h - Conditions and ranges at a call ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_FACTS_ATCALL_H
#define MPISPEC_FACTS_ATCALL_H

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace mpispec {

/// The value of the Boolean \p V at \p Call. The pipeline folds an answer at the place of its
/// computation. This function also uses conditions that are tested between that place and the call.
std::optional<bool> evaluateAt(llvm::Value *V, llvm::CallBase &Call,
                               llvm::FunctionAnalysisManager &Analyses);

/// The values that \p V, an integer of at most 64 bits, can have at \p Call, sign-extended to 64
/// bits.
llvm::ConstantRange rangeAt(llvm::Value *V, llvm::CallBase &Call,
                            llvm::FunctionAnalysisManager &Analyses);

} // namespace mpispec
#endif
