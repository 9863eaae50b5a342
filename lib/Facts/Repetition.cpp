//===- Repetition.cpp - Whether a call is executed repeatedly ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/Repetition.h"
#include "llvm/Analysis/CycleAnalysis.h"

using namespace llvm;

namespace mpispec {

Repetition Repetitions::of(const CallBase &Call) {
  auto &F = const_cast<Function &>(*Call.getFunction());
  if (Analyses.getResult<CycleAnalysis>(F).getCycle(Call.getParent()))
    return Repetition::Repeated;
  return of(F);
}

/// A function is executed as often as its callers call it. A function that other units can call, or
/// whose address is taken, may have other callers.
Repetition Repetitions::of(const Function &F) {
  // Until the callers are examined, the function counts as repeated. If the search reaches it again
  // before, it is recursive.
  auto [Entry, IsNew] = Known.try_emplace(&F, Repetition::Repeated);
  if (!IsNew)
    return Entry->second;
  bool IsOurs = F.hasLocalLinkage() || F.getName() == "main";
  Repetition Result = IsOurs ? Repetition::Once : Repetition::PerCall;
  for (const User *U : F.users()) {
    const auto *Call = dyn_cast<CallBase>(U);
    bool IsCalled = Call && Call->getCalledOperand() == &F;
    Result = std::max(Result, IsCalled ? of(*Call) : Repetition::PerCall);
  }
  Known[&F] = Result;
  return Result;
}

} // namespace mpispec
