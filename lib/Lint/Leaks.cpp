//===- Leaks.cpp - Handles that nothing frees -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function makes a communicator, a group, a datatype or a persistent request, and stores it in a
// local variable. The handle is lost when the function ends if nothing has freed it, and if no
// other code has a copy. Calls in which MPI only reads the handle, or changes its state, do
// neither. Any other use of the variable may free the handle, or store it for later. Then the rule
// gives no finding.
//
//===------------------------------------------------------------------------------------------===//
#include "Lint/UnitRules.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace mpispec {

namespace {
struct HandleUses {
  MPICall Made;
  unsigned OfMPI = 0; ///< uses by calls that make or read the handle, or change its state
  unsigned All = 0;
};
} // namespace

/// A word for the new handle that \p Call stores at its argument of role \p R. Empty if it stores
/// no new handle.
static llvm::StringRef madeHandle(const MPICall &Call, Role R) {
  switch (R) {
  case Role::NewComm:
    // The communicator with the parent of spawned processes is not made by a call.
    return Call.argument(Role::Request) || Call.name() == "Comm_get_parent" ? "" : "communicator";
  case Role::NewGroup:
    return "group";
  case Role::NewDatatype:
    return "datatype";
  case Role::Request:
    return Call.name().ends_with("_init") ? "persistent request" : "";
  default:
    return "";
  }
}

/// Does MPI only read a handle that it gets as an argument of role \p R, or change its state?
static bool keepsHandle(Role R) {
  switch (R) {
  case Role::Comm:
  case Role::Group:
  case Role::Datatype:
  case Role::SendDatatype:
  case Role::RecvDatatype:
  case Role::CommittedDatatype:
    return true;
  default:
    return false;
  }
}

/// The local variable that \p E, a handle or the address of one, names. Null if it names none.
static const VarDecl *ownHandle(const Expr *E) {
  const VarDecl *Variable = variableAt(E) ? variableAt(E) : variableOf(E);
  bool IsOwn = Variable && Variable->hasLocalStorage() && !isa<ParmVarDecl>(Variable) &&
               !Variable->hasAttr<CleanupAttr>() && !Variable->getType()->isReferenceType();
  return IsOwn ? Variable : nullptr;
}

static void countUses(const FunctionDecl *Function, const UnitCalls &Unit,
                      llvm::MapVector<const VarDecl *, HandleUses> &Handles) {
  for (const MPICall &Call : Unit.callsIn(Function->getBody()))
    for (auto [Index, R] : llvm::enumerate(Call.Site->Function->Roles)) {
      const VarDecl *Variable = ownHandle(Call.Call->getArg(Index));
      bool Starts = R == Role::Request && (Call.name() == "Start" || Call.name() == "Wait");
      if (!Variable || (!keepsHandle(R) && !Starts && madeHandle(Call, R).empty()))
        continue;
      HandleUses &Uses = Handles[Variable];
      ++Uses.OfMPI;
      if (!madeHandle(Call, R).empty() && !Uses.Made.Call && !Call.isDead())
        Uses.Made = Call;
    }
  forEachStatement(Function->getBody(), [&](const Stmt *S) {
    const auto *Name = dyn_cast<DeclRefExpr>(S);
    auto Uses = Handles.find(Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr);
    if (Uses != Handles.end())
      ++Uses->second.All;
  });
}

void findLeaks(const UnitCalls &Unit, std::vector<LintFinding> &Findings) {
  for (const FunctionDecl *Function : Unit.functions()) {
    llvm::MapVector<const VarDecl *, HandleUses> Handles;
    countUses(Function, Unit, Handles);
    for (const auto &[Variable, Uses] : Handles) {
      if (!Uses.Made.Call || Uses.All != Uses.OfMPI)
        continue;
      llvm::StringRef What;
      for (auto [Index, R] : llvm::enumerate(Uses.Made.Site->Function->Roles))
        if (ownHandle(Uses.Made.Call->getArg(Index)) == Variable)
          if (llvm::StringRef Word = madeHandle(Uses.Made, R); !Word.empty())
            What = Word;
      Findings.push_back(
          {LintRule::Leaks, Uses.Made.place(),
           (Uses.Made.Site->Callee + ": " + What + " '" + Variable->getName() + "' is never freed")
               .str()});
    }
  }
}

} // namespace mpispec
