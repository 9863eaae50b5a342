//===- Conditions.cpp - Relations that follow from conditions around a call -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/Conditions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace mpispec {

namespace {
/// A condition, and whether it holds.
struct Tested {
  Value *Condition;
  bool Holds;
};
} // namespace

/// The conditions tested on every way to \p Where, nearest first.
static SmallVector<Tested, 8> testedBefore(const Instruction &Where,
                                           const DominatorTree &Dominators) {
  constexpr unsigned Farthest = 32;
  SmallVector<Tested, 8> Found;
  const DomTreeNode *Node = Dominators.getNode(Where.getParent());
  for (unsigned Step = 0; Node && Step < Farthest; ++Step, Node = Node->getIDom()) {
    const auto *Branch = dyn_cast<BranchInst>(Node->getBlock()->getTerminator());
    if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
      continue;
    for (unsigned Way : {0, 1}) {
      BasicBlockEdge Edge(Node->getBlock(), Branch->getSuccessor(Way));
      if (Dominators.dominates(Edge, Where.getParent()))
        Found.push_back({Branch->getCondition(), Way == 0});
    }
  }
  return Found;
}

/// Does \p T imply that \p X and \p Y are equal (\p Equal is true) or different (it is false)?
static bool says(Tested T, bool Equal, const Value &X, const Value &Y, unsigned Depth = 0) {
  constexpr unsigned Deepest = 5;
  Value *L, *R;
  if (Depth == Deepest)
    return false;
  if (match(T.Condition, m_Not(m_Value(L))))
    return says({L, !T.Holds}, Equal, X, Y, Depth + 1);
  bool IsAnd = match(T.Condition, m_LogicalAnd(m_Value(L), m_Value(R)));
  if (IsAnd || match(T.Condition, m_LogicalOr(m_Value(L), m_Value(R)))) {
    bool Left = says({L, T.Holds}, Equal, X, Y, Depth + 1);
    bool Right = says({R, T.Holds}, Equal, X, Y, Depth + 1);
    // If an `and` is true, both operands are true. If it is false, at least one operand is false,
    // and it is unknown which one. For an `or`, true and false are exchanged.
    return IsAnd == T.Holds ? Left || Right : Left && Right;
  }
  const auto *Compare = dyn_cast<ICmpInst>(T.Condition);
  if (!Compare)
    return false;
  const Value *A = Compare->getOperand(0), *B = Compare->getOperand(1);
  if (!((A == &X && B == &Y) || (A == &Y && B == &X)))
    return false;
  CmpInst::Predicate P = T.Holds ? Compare->getPredicate() : Compare->getInversePredicate();
  return Equal ? P == CmpInst::ICMP_EQ : P != CmpInst::ICMP_EQ && !CmpInst::isTrueWhenEqual(P);
}

/// \p V, and the values that are equal to it because of one of \p Conditions.
static SmallVector<const Value *, 4> namesOf(const Value &V, ArrayRef<Tested> Conditions) {
  SmallVector<const Value *, 4> Names = {&V};
  for (Tested T : Conditions)
    if (const auto *Compare = dyn_cast<ICmpInst>(T.Condition))
      for (const Value *Other : Compare->operands())
        if (Other != &V && says(T, /*Equal=*/true, V, *Other))
          Names.push_back(Other);
  return Names;
}

bool differ(const Value &X, const Value &Y, const Instruction &Where,
            const DominatorTree &Dominators) {
  SmallVector<Tested, 8> Conditions = testedBefore(Where, Dominators);
  for (const Value *A : namesOf(X, Conditions))
    for (const Value *B : namesOf(Y, Conditions))
      for (Tested T : Conditions)
        if (says(T, /*Equal=*/false, *A, *B))
          return true;
  return false;
}

} // namespace mpispec
