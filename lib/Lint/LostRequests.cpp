//===- LostRequests.cpp - Requests that nothing completes -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nonblocking operation is complete when MPI_Wait, MPI_Test or a similar function has returned
// its completion, or when its request was freed (MPI-4.0, section 3.7.3). All operations must be
// complete before MPI_Finalize (section 11.2.2). A request in a variable of a function is lost
// under one condition: only calls that start operations mention the variable. Any other read or
// mention counts as a completion. A block that ends the program needs no completions.
//
//===------------------------------------------------------------------------------------------===//
#include "Lint/UnitRules.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace mpispec {

/// The function's own variable or array that contains the request argument \p E. Only this function
/// can reach its contents. Null if \p E is reached through a parameter, a reference or another
/// pointer.
static const DeclRefExpr *ownRequest(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  const auto *Address = dyn_cast<UnaryOperator>(E);
  if (Address && Address->getOpcode() == UO_AddrOf)
    E = Address->getSubExpr()->IgnoreParenImpCasts();
  bool IsWhole = Address && isa<DeclRefExpr>(E);
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E); Address && Element)
    E = Element->getBase()->IgnoreParenImpCasts();
  const auto *Name = dyn_cast<DeclRefExpr>(E);
  const auto *Variable = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  if (!Variable || !Variable->hasLocalStorage() || isa<ParmVarDecl>(Variable) ||
      Variable->hasAttr<CleanupAttr>() || Variable->getType()->isReferenceType())
    return nullptr;
  return IsWhole || Variable->getType()->isArrayType() ? Name : nullptr;
}

/// Does \p Call start an operation that has to be completed? A call that makes a persistent request
/// does not start the operation.
static bool startsOperation(const MPICall &Call) {
  switch (Call.Site->Function->Kind) {
  case FunctionKind::Send:
  case FunctionKind::Recv:
  case FunctionKind::SendRecv:
  case FunctionKind::Collective:
    return Call.argument(Role::Request) && !Call.name().ends_with("_init");
  default:
    return false;
  }
}

namespace {
struct RequestUses {
  std::vector<MPICall> Starts;
  llvm::SmallPtrSet<const DeclRefExpr *, 4> AtStarts;
};
} // namespace

void findLostRequests(const UnitCalls &Unit, std::vector<LintFinding> &Findings) {
  for (const FunctionDecl *Function : Unit.functions()) {
    llvm::MapVector<const VarDecl *, RequestUses> Requests;
    llvm::SmallPtrSet<const CallExpr *, 4> Last = lastCalls(Unit, Function->getBody());
    for (const MPICall &Call : Unit.callsIn(Function->getBody()))
      if (startsOperation(Call) && !Call.isDead() && !Last.contains(Call.Call)) {
        if (const DeclRefExpr *Name = ownRequest(Call.argument(Role::Request))) {
          const auto *Variable = cast<VarDecl>(Name->getDecl());
          Requests[Variable].Starts.push_back(Call);
          Requests[Variable].AtStarts.insert(Name);
        }
      }
    forEachStatement(Function->getBody(), [&](const Stmt *S) {
      const auto *Name = dyn_cast<DeclRefExpr>(S);
      const auto *Variable = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
      auto Uses = Requests.find(Variable);
      if (Uses != Requests.end() && !Uses->second.AtStarts.contains(Name))
        Requests.erase(Uses);
    });
    for (const auto &[Variable, Uses] : Requests) {
      const MPICall &Start = Uses.Starts.front();
      Findings.push_back({LintRule::Requests, Start.place(),
                          Start.Site->Callee + ": request '" + Variable->getNameAsString() +
                              "' is never completed; wait for it, or test or free it"});
    }
  }
}

} // namespace mpispec
