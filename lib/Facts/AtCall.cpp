//===- AtCall.cpp - Conditions and ranges at a call -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/AtCall.h"
#include "Facts/Conditions.h"
#include "Facts/Remainders.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace mpispec;

namespace {

/// A call, and what was tested before it.
struct Surroundings {
  CallBase &Call;
  LazyValueInfo &Conditions;
  const DominatorTree &Dominators;
  FunctionAnalysisManager &Analyses;

  Surroundings(CallBase &Call, FunctionAnalysisManager &Analyses)
      : Call(Call), Conditions(Analyses.getResult<LazyValueAnalysis>(*Call.getFunction())),
        Dominators(Analyses.getResult<DominatorTreeAnalysis>(*Call.getFunction())),
        Analyses(Analyses) {}
  /// Scalar evolution, which analyses the variables of loops.
  ScalarEvolution &loops() const {
    return Analyses.getResult<ScalarEvolutionAnalysis>(*Call.getFunction());
  }
};

/// Is 0 < \p X < \p Bound at the call?
bool isBetween(const SCEV *X, const SCEV *Bound, const Surroundings &At) {
  ScalarEvolution &SE = At.loops();
  return SE.isKnownPredicateAt(ICmpInst::ICMP_SGT, X, SE.getZero(X->getType()), &At.Call) &&
         SE.isKnownPredicateAt(ICmpInst::ICMP_SLT, X, Bound, &At.Call);
}

/// Whether \p X, a remainder, cannot be 0 at the call, because its numerator lies between 0 and its
/// divisor. A signed numerator may also lie between the negative divisor and 0.
bool leavesRemainder(Value *X, const Surroundings &At) {
  Value *Numerator, *Divisor;
  bool Signed = match(X, m_SRem(m_Value(Numerator), m_Value(Divisor)));
  if (!Signed && !match(X, m_URem(m_Value(Numerator), m_Value(Divisor))))
    return false;
  ScalarEvolution &SE = At.loops();
  const SCEV *Distance = SE.getSCEV(Numerator), *Bound = SE.getSCEV(Divisor);
  return isBetween(Distance, Bound, At) ||
         (Signed && isBetween(SE.getNegativeSCEV(Distance), Bound, At));
}

/// Do \p X and \p Y, two variables, differ at the call?
bool differAt(Value *X, Value *Y, const Surroundings &At) {
  if (differ(*X, *Y, At.Call, At.Dominators))
    return true;
  ScalarEvolution &SE = At.loops();
  return SE.isSCEVable(X->getType()) && X->getType()->isIntegerTy() &&
         SE.isKnownPredicateAt(ICmpInst::ICMP_NE, SE.getSCEV(X), SE.getSCEV(Y), &At.Call);
}

ConstantRange notNegative(unsigned Bits) {
  return ConstantRange(APInt::getZero(Bits), APInt::getSignedMinValue(Bits));
}

std::optional<bool> evaluate(Value *V, const Surroundings &At, unsigned Depth = 0) {
  if (auto *Bit = dyn_cast<ConstantInt>(V))
    return Bit->isOne();
  Value *X, *Y;
  auto ValueOf = [&](Value *Operand) { return evaluate(Operand, At, Depth + 1); };
  if (Depth == 4)
    return std::nullopt;
  if (match(V, m_Not(m_Value(X)))) {
    std::optional<bool> Bit = ValueOf(X);
    return Bit ? std::optional(!*Bit) : std::nullopt;
  }
  Value *Condition;
  if (match(V, m_Select(m_Value(Condition), m_Value(X), m_Value(Y))) && !isa<Constant>(X) &&
      !isa<Constant>(Y)) {
    std::optional<bool> L = ValueOf(X), R = ValueOf(Y);
    return L == R ? L : std::nullopt;
  }
  bool And = match(V, m_LogicalAnd(m_Value(X), m_Value(Y)));
  if (And || match(V, m_LogicalOr(m_Value(X), m_Value(Y)))) {
    std::optional<bool> L = ValueOf(X), R = ValueOf(Y);
    if ((L && *L != And) || (R && *R != And)) // a false operand decides `and`, a true one `or`
      return !And;
    return L && R ? std::optional(And) : std::nullopt;
  }
  auto *Compare = dyn_cast<ICmpInst>(V);
  if (!Compare)
    return std::nullopt;
  CmpInst::Predicate P = Compare->getPredicate();
  X = Compare->getOperand(0);
  Y = Compare->getOperand(1);
  auto *Bound = dyn_cast<ConstantInt>(Y);
  if (!Bound) {
    bool Differ = Compare->isEquality() && differAt(X, Y, At);
    return Differ ? std::optional(P == CmpInst::ICMP_NE) : std::nullopt;
  }
  if (Compare->isEquality() && Bound->isZero() && leavesRemainder(X, At))
    return P == CmpInst::ICMP_NE;
  if (isRemainderOfPositive(X, At.Call, At.loops(), At.Conditions)) {
    ConstantRange Remainder = notNegative(Bound->getBitWidth());
    for (bool Holds : {true, false})
      if (Remainder.icmp(Holds ? P : CmpInst::getInversePredicate(P), Bound->getValue()))
        return Holds;
  }
  Constant *Answer = At.Conditions.getPredicateAt(P, X, Bound, &At.Call, /*UseBlockValue=*/true);
  auto *Bit = dyn_cast_or_null<ConstantInt>(Answer);
  return Bit ? std::optional(Bit->isOne()) : std::nullopt;
}
} // namespace

std::optional<bool> mpispec::evaluateAt(Value *V, CallBase &Call,
                                        FunctionAnalysisManager &Analyses) {
  return evaluate(V, Surroundings(Call, Analyses));
}

ConstantRange mpispec::rangeAt(Value *V, CallBase &Call, FunctionAnalysisManager &Analyses) {
  if (auto *Integer = dyn_cast<ConstantInt>(V))
    return ConstantRange(Integer->getValue()).signExtend(64);
  if (isa<Constant>(V)) // undef, poison, a constant expression
    return ConstantRange::getFull(64);
  Function &F = *Call.getFunction();
  LazyValueInfo &Conditions = Analyses.getResult<LazyValueAnalysis>(F);
  ConstantRange Range = Conditions.getConstantRange(V, &Call, /*UndefAllowed=*/false);
  // Scalar evolution gives the tightest range for induction variables.
  if (isa<PHINode, BinaryOperator, CastInst>(V)) {
    ScalarEvolution &SE = Analyses.getResult<ScalarEvolutionAnalysis>(F);
    Range = Range.intersectWith(SE.getSignedRange(SE.getSCEV(V)), ConstantRange::Signed);
    if (isRemainderOfPositive(V, Call, SE, Conditions))
      Range = Range.intersectWith(notNegative(Range.getBitWidth()), ConstantRange::Signed);
  }
  return Range.getBitWidth() < 64 ? Range.signExtend(64) : Range;
}
