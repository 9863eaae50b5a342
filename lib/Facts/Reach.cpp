//===- Reach.cpp - Functions that matter for a site -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/Reach.h"
#include "Frontend/CallSiteCollector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace mpispec {

using Globals = SmallSetVector<GlobalValue *, 32>;

/// Adds the globals in whose definition \p U takes part.
static void addOwners(User *U, Globals &Owners) {
  if (auto *I = dyn_cast<Instruction>(U)) {
    Owners.insert(I->getFunction());
  } else if (auto *G = dyn_cast<GlobalValue>(U)) {
    Owners.insert(G);
  } else {
    for (User *Next : U->users())
      addOwners(Next, Owners);
  }
}

/// Everything that mentions one of \p Reached, directly or not, and \p Reached itself.
static Globals leadingTo(Globals Reached) {
  for (unsigned I = 0; I < Reached.size(); ++I) // grows while it is walked
    for (User *U : Reached[I]->users())
      addOwners(U, Reached);
  return Reached;
}

/// Adds the globals that the constant or operand \p V mentions.
static void addMentioned(Value *V, Globals &Mentioned) {
  if (auto *G = dyn_cast<GlobalValue>(V))
    Mentioned.insert(G);
  else if (auto *C = dyn_cast<Constant>(V))
    for (Value *Operand : C->operands())
      addMentioned(Operand, Mentioned);
}

/// Everything that one of \p Users mentions, directly or not, and \p Users themselves.
static Globals usedBy(Globals Users) {
  for (unsigned I = 0; I < Users.size(); ++I) { // grows while it is walked
    if (auto *F = dyn_cast<Function>(Users[I])) {
      for (Instruction &Inst : instructions(*F))
        for (Value *Operand : Inst.operands())
          addMentioned(Operand, Users);
    } else if (auto *G = dyn_cast<GlobalVariable>(Users[I]); G && G->hasInitializer()) {
      addMentioned(G->getInitializer(), Users);
    }
  }
  return Users;
}

static Globals siteFunctions(Module &M) {
  Globals Sites;
  for (Function &F : M)
    if (F.getName().starts_with(SiteFunctionPrefix) ||
        F.getName().starts_with(WatchedFunctionPrefix))
      Sites.insert(&F);
  return Sites;
}

/// The variables among \p All to which only this unit can store.
static Globals staticsIn(const Globals &All) {
  Globals Statics;
  for (GlobalValue *G : All)
    if (auto *V = dyn_cast<GlobalVariable>(G); V && V->hasLocalLinkage() && !V->isConstant())
      Statics.insert(V);
  return Statics;
}

void keepSharedFunctions(Module &M) {
  Globals Watched = siteFunctions(M);
  for (GlobalVariable &G : M.globals())
    if (G.hasLocalLinkage() && !G.isConstant())
      Watched.insert(&G);
  for (GlobalValue *G : leadingTo(Watched))
    if (G->hasLinkOnceLinkage())
      G->setLinkage(G->hasLinkOnceODRLinkage() ? GlobalValue::WeakODRLinkage
                                               : GlobalValue::WeakAnyLinkage);
}

void setAsideUnrelatedFunctions(Module &M) {
  Globals Related = usedBy(leadingTo(siteFunctions(M)));
  Globals Changing = leadingTo(staticsIn(Related));
  for (Function &F : M) {
    if (F.isDeclaration() || Related.contains(&F) || Changing.contains(&F) ||
        F.hasFnAttribute(Attribute::AlwaysInline))
      continue;
    F.removeFnAttr(Attribute::MinSize);
    F.removeFnAttr(Attribute::OptimizeForSize);
    F.addFnAttr(Attribute::NoInline);
    F.addFnAttr(Attribute::OptimizeNone);
  }
}

} // namespace mpispec
