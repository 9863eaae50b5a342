//===- AtCall.h - Conditions and ranges at a call ---------------------------------------------===//
#ifndef MPISPEC_FACTS_ATCALL_H
#define MPISPEC_FACTS_ATCALL_H

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace mpispec {

/// What \p V, a Boolean, is at \p Call. The pipeline folds an answer where it is computed; a
/// condition that was tested between there and the call is asked for here.
std::optional<bool> evaluateAt(llvm::Value *V, llvm::CallBase &Call,
                               llvm::FunctionAnalysisManager &Analyses);

/// The values that \p V, an integer of at most 64 bits, can have at \p Call, sign-extended to 64
/// bits.
llvm::ConstantRange rangeAt(llvm::Value *V, llvm::CallBase &Call,
                            llvm::FunctionAnalysisManager &Analyses);

} // namespace mpispec
#endif
