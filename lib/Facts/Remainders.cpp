//===- Remainders.cpp - Remainders that are never negative ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/Remainders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace mpispec {

namespace {

/// A value that a sum adds or subtracts, with its range at the call.
struct Term {
  const SCEV *What;
  ConstantRange Range;

  int64_t least() const { return Range.getSignedMin().getSExtValue(); }
  int64_t most() const { return Range.getSignedMax().getSExtValue(); }
};

/// Added - Subtracted + Offset, modulo 2^N for a type of N bits. The optimizer reorders sums,
/// and the result does not show which steps cannot overflow. Therefore this code assumes that each
/// step may overflow. If the exact sum of the terms fits the type, the value equals it.
struct Sum {
  SmallVector<Term, 4> Added, Subtracted;
  int64_t Offset = 0;
};

/// The possible values of a sum at a call.
class SumAtCall {
public:
  SumAtCall(CallBase &Call, ScalarEvolution &Loops, LazyValueInfo &Conditions)
      : Call(Call), Loops(Loops), Conditions(Conditions) {}
  /// Is the value of \p V, as a number with a sign, not negative?
  bool isNotNegative(Value *V);

private:
  bool collect(Value *V, bool IsSubtracted, Sum &To, unsigned Depth = 0);
  Term term(Value *V);
  std::optional<int64_t> pairOff(const Term &Subtracted, Sum &S);

  CallBase &Call;
  ScalarEvolution &Loops;
  LazyValueInfo &Conditions;
};

} // namespace

Term SumAtCall::term(Value *V) {
  const SCEV *What = Loops.getSCEV(V);
  ConstantRange Range = Conditions.getConstantRange(V, &Call, /*UndefAllowed=*/false);
  return {What, Range.intersectWith(Loops.getSignedRange(What), ConstantRange::Signed)};
}

/// Returns false if the sum has too many terms. A term that is never positive (the optimizer may
/// use -k as a loop variable) is replaced by its negative, which is subtracted.
bool SumAtCall::collect(Value *V, bool IsSubtracted, Sum &To, unsigned Depth) {
  constexpr unsigned Deepest = 4, MostTerms = 4;
  Value *X, *Y;
  if (auto *Number = dyn_cast<ConstantInt>(V)) {
    To.Offset += IsSubtracted ? -Number->getSExtValue() : Number->getSExtValue();
    return true;
  }
  bool IsDifference = match(V, m_Sub(m_Value(X), m_Value(Y)));
  if (Depth < Deepest && (IsDifference || match(V, m_Add(m_Value(X), m_Value(Y)))))
    return collect(X, IsSubtracted, To, Depth + 1) &&
           collect(Y, IsSubtracted != IsDifference, To, Depth + 1);
  Term T = term(V);
  if (T.most() <= 0 && !T.Range.getSignedMin().isMinSignedValue()) {
    T = {Loops.getNegativeSCEV(T.What),
         ConstantRange(APInt(T.Range.getBitWidth(), 0)).sub(T.Range)};
    IsSubtracted = !IsSubtracted;
  }
  (IsSubtracted ? To.Subtracted : To.Added).push_back(T);
  return To.Added.size() + To.Subtracted.size() <= MostTerms;
}

/// Removes from \p S a term that is not less than \p Subtracted. Returns a lower bound of the
/// difference.
std::optional<int64_t> SumAtCall::pairOff(const Term &Subtracted, Sum &S) {
  auto IsKnown = [&](CmpInst::Predicate P, const Term &Larger) {
    return Loops.isKnownPredicateAt(P, Subtracted.What, Larger.What, &Call);
  };
  for (Term &Larger : S.Added) {
    bool IsLess = IsKnown(ICmpInst::ICMP_SLT, Larger);
    if (!IsLess && !IsKnown(ICmpInst::ICMP_SLE, Larger))
      continue;
    S.Added.erase(&Larger);
    return IsLess ? 1 : 0;
  }
  return std::nullopt;
}

bool SumAtCall::isNotNegative(Value *V) {
  Sum S;
  unsigned Bits = V->getType()->getIntegerBitWidth();
  if (Bits > 32 || !collect(V, /*IsSubtracted=*/false, S))
    return false;
  // A sum of a few 32-bit numbers does not overflow 64 bits.
  int64_t Most = S.Offset, Least = S.Offset;
  for (const Term &T : S.Added)
    Most += T.most();
  for (const Term &T : S.Subtracted)
    Most -= T.least();
  if (Most > maxIntN(Bits))
    return false;
  for (const Term &T : S.Subtracted) {
    std::optional<int64_t> Rest = pairOff(T, S);
    Least += Rest ? *Rest : -T.most();
  }
  for (const Term &T : S.Added)
    Least += T.least();
  return Least >= 0;
}

bool isRemainderOfPositive(Value *V, CallBase &Call, ScalarEvolution &Loops,
                           LazyValueInfo &Conditions) {
  Value *Numerator;
  return V->getType()->isIntegerTy() && match(V, m_SRem(m_Value(Numerator), m_Value())) &&
         SumAtCall(Call, Loops, Conditions).isNotNegative(Numerator);
}

} // namespace mpispec
