//===- UnitCalls.h - The calls of a unit as nodes of the syntax tree --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These structures are the input of lint's rules about one unit. They hold the functions that the
// unit defines and, for each call in them, the MPI function with its facts. They leave out system
// headers, and code that depends on template parameters.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_LINT_UNITCALLS_H
#define MPISPEC_LINT_UNITCALLS_H

#include "Facts/Facts.h"
#include "Frontend/Parse.h"
#include "Lint/Findings.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Mangle.h"
#include "llvm/ADT/DenseMap.h"

namespace mpispec {

/// A call of an MPI function.
struct MPICall {
  const clang::CallExpr *Call = nullptr;
  const CallSite *Site = nullptr;
  const SiteFacts *Facts = nullptr; ///< null: the call is no site (ParsedUnit::Watched)

  llvm::StringRef name() const { return Site->Function->Name; }
  /// The argument of role \p R; null: there is none.
  const clang::Expr *argument(Role R) const;
  Place place() const { return {Site->File, Site->Line, Site->Column}; }
  /// Is it proven that the call is never executed?
  bool isDead() const { return Facts && Facts->Copies == 0; }
};

class UnitCalls {
public:
  UnitCalls(ParsedUnit &Unit, llvm::ArrayRef<SiteFacts> Facts);

  clang::ASTContext &context() const { return Unit.compiler().getASTContext(); }
  ParsedUnit &unit() const { return Unit; }

  /// The functions that the unit defines, in the order of the text.
  std::vector<const clang::FunctionDecl *> functions() const;

  /// \p Call as an MPI call. Nothing if it calls no function of Functions.def.
  std::optional<MPICall> find(const clang::CallExpr *Call) const;
  /// The sites, in the order of the text; `Call` is null.
  std::vector<MPICall> sites() const;
  /// All calls of MPI below \p S, in the order of the text.
  std::vector<MPICall> callsIn(const clang::Stmt *S) const;

  /// The place that messages name for \p Location.
  Place place(clang::SourceLocation Location) const;

private:
  ParsedUnit &Unit;
  llvm::DenseMap<unsigned, MPICall> ByLocation; ///< callee's raw location; `Call` is empty
};

/// Calls \p Visit for \p S and all below it, in the order of the text.
void forEachStatement(const clang::Stmt *S, llvm::function_ref<void(const clang::Stmt *)> Visit);

/// The MPI calls that every execution of \p Body makes, in order. The list ends at the first
/// statement that may call unknown code, leave, or communicate under a condition.
std::vector<MPICall> sureCalls(const UnitCalls &Unit, const clang::Stmt *Body);
/// The same for \p Statements, one after the other.
std::vector<MPICall> sureCalls(const UnitCalls &Unit,
                               llvm::ArrayRef<const clang::Stmt *> Statements);
/// Is \p S a jump (also return and throw), or a label? Statements below \p S do not count.
bool mayLeave(const clang::Stmt *S);
/// Is \p S a call that ends the program?
bool endsProgram(const UnitCalls &Unit, const clang::Stmt *S);
/// The calls in those blocks of \p Body that are executed from begin to end and then end the
/// program, or end it by MPI_Abort.
llvm::SmallPtrSet<const clang::CallExpr *, 4>
lastCalls(const UnitCalls &Unit, const clang::Stmt *Body, bool OnlyAborts = false);
/// Are all calls in \p S calls of MPI, or of functions of the system, which do not communicate?
bool callsNothingUnknown(const UnitCalls &Unit, const clang::Stmt *S);

/// Is every use of a parameter in \p Body a read?
bool onlyReadsParameters(const clang::Stmt *Body);

/// The symbol of \p Function. The unit's name precedes it if only this unit can call the function.
std::string linkerName(const clang::FunctionDecl &Function, const UnitCalls &Unit,
                       clang::ASTNameGenerator &Names);

/// The variable that \p E names, possibly in parentheses and casts. Null if it names none.
const clang::VarDecl *variableOf(const clang::Expr *E);
/// The variable of `&v`, or null.
const clang::VarDecl *variableAt(const clang::Expr *E);

} // namespace mpispec
#endif
