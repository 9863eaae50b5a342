//===- RankDependentArguments.cpp - Roots and operations that differ by rank ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     int root = 0;
//     if (rank % 2)
//       root = 1;
//     MPI_Bcast(x, n, MPI_DOUBLE, root, comm);
//
// All members of a communicator must pass the same root and the same operation to a collective
// operation (MPI-4.0, sections 6.4 and 6.9.1). The rule needs proofs of four points. The condition
// is one on the rank in the communicator of the call. Both values of the variable are constants.
// Nothing else writes the variable. Each rank that reaches the condition makes the call.
//
//===------------------------------------------------------------------------------------------===//
#include "Lint/RankVariables.h"
#include "Lint/UnitRules.h"
#include "MPI/Datatypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace mpispec {

namespace {
/// `Variable = Value;`
struct Assignment {
  const VarDecl *Variable = nullptr;
  const Expr *Value = nullptr;
};

/// A variable behind a condition on the rank: its value in the ranks for which the condition holds,
/// and its value in the others.
struct Choice {
  const VarDecl *Variable = nullptr;
  const Expr *There = nullptr, *Elsewhere = nullptr;
  NamedComm Comm;
};

class ArgumentChecker {
public:
  ArgumentChecker(const UnitCalls &Unit, std::vector<LintFinding> &Findings)
      : Unit(Unit), Ranks(Unit), Findings(Findings) {}
  void check(const CompoundStmt *Block);

private:
  std::optional<Choice> choice(llvm::ArrayRef<const Stmt *> Before, const IfStmt *If) const;
  void compare(const MPICall &Call, const Choice &Of);
  std::string operation(const Expr *E) const;

  const UnitCalls &Unit;
  const RankVariables Ranks;
  std::vector<LintFinding> &Findings;
};
} // namespace

/// \p S, or the only statement of the block \p S, as an assignment. Nothing if it is no assignment.
static std::optional<Assignment> assignment(const Stmt *S) {
  const auto *Block = dyn_cast_or_null<CompoundStmt>(S);
  if (Block && Block->size() == 1)
    S = Block->body_front();
  const auto *Assign = dyn_cast_or_null<BinaryOperator>(S);
  const VarDecl *Variable =
      Assign && Assign->getOpcode() == BO_Assign ? variableOf(Assign->getLHS()) : nullptr;
  if (!Variable || !Variable->hasLocalStorage() || isa<ParmVarDecl>(Variable) ||
      Variable->getType()->isReferenceType())
    return std::nullopt;
  return Assignment{Variable, Assign->getRHS()};
}

std::optional<Choice> ArgumentChecker::choice(llvm::ArrayRef<const Stmt *> Before,
                                              const IfStmt *If) const {
  std::optional<RankCondition> Condition = Ranks.condition(If->getCond());
  std::optional<Assignment> Then = assignment(If->getThen()), Else = assignment(If->getElse());
  if (!Condition || !Then || (If->getElse() && (!Else || Else->Variable != Then->Variable)))
    return std::nullopt;
  Choice Found{Then->Variable, Then->Value, Then->Variable->getInit(), Condition->Comm};
  unsigned Writes = Else ? 2 : 1;
  for (const Stmt *S : Before)
    if (std::optional<Assignment> First = assignment(S);
        First && First->Variable == Found.Variable) {
      Found.Elsewhere = First->Value;
      ++Writes;
    }
  if (Else)
    Found.Elsewhere = Else->Value;
  if (!Found.Elsewhere || Ranks.writes(Found.Variable) != Writes)
    return std::nullopt;
  return Found;
}

/// The name of the predefined operation that \p E is, or empty.
std::string ArgumentChecker::operation(const Expr *E) const {
  const SourceManager &SM = Unit.unit().sources();
  CharSourceRange Text = SM.getExpansionRange(SourceRange(E->getBeginLoc(), E->getEndLoc()));
  llvm::StringRef Name = Lexer::getSourceText(Text, SM, Unit.context().getLangOpts());
  bool IsOperation = llvm::any_of(allNamedConstants(), [&](const NamedConstant &C) {
    return C.K == NamedConstant::Op && C.Name == Name;
  });
  return IsOperation ? Name.str() : "";
}

void ArgumentChecker::compare(const MPICall &Call, const Choice &Of) {
  auto Differ = [&](llvm::StringRef What, const llvm::Twine &Here, const llvm::Twine &There) {
    Findings.push_back({LintRule::Collectives, Call.place(),
                        (Call.Site->Callee + ": " + What + " '" + Of.Variable->getName() + "' is " +
                         Here + " for some ranks, but " + There +
                         " for others; all members of the communicator have to give the same")
                            .str()});
  };
  if (variableOf(Call.argument(Role::Root)) == Of.Variable) {
    // Negative roots are MPI_ROOT and MPI_PROC_NULL, which differ by rank in correct programs.
    std::optional<int64_t> Here = Ranks.number(Of.There), There = Ranks.number(Of.Elsewhere);
    if (Here && There && *Here >= 0 && *There >= 0 && *Here != *There)
      Differ("root", llvm::Twine(*Here), llvm::Twine(*There));
  } else if (variableOf(Call.argument(Role::Op)) == Of.Variable) {
    std::string Here = operation(Of.There), There = operation(Of.Elsewhere);
    if (!Here.empty() && !There.empty() && Here != There)
      Differ("operation", Here, There);
  }
}

void ArgumentChecker::check(const CompoundStmt *Block) {
  llvm::SmallVector<const Stmt *> Statements(Block->body());
  for (auto [At, S] : llvm::enumerate(Statements)) {
    const auto *If = dyn_cast<IfStmt>(S);
    llvm::ArrayRef<const Stmt *> All(Statements);
    std::optional<Choice> Of = If ? choice(All.take_front(At), If) : std::nullopt;
    if (!Of)
      continue;
    for (const MPICall &Call : sureCalls(Unit, All.drop_front(At + 1)))
      if (Call.Site->Function->Kind == FunctionKind::Collective && !Call.isDead() &&
          Ranks.comm(Call.argument(Role::Comm)) == Of->Comm)
        compare(Call, *Of);
  }
}

void findRankDependentArguments(const UnitCalls &Unit, std::vector<LintFinding> &Findings) {
  ArgumentChecker Checker(Unit, Findings);
  for (const FunctionDecl *Function : Unit.functions())
    forEachStatement(Function->getBody(), [&](const Stmt *S) {
      if (const auto *Block = dyn_cast<CompoundStmt>(S))
        Checker.check(Block);
    });
}

} // namespace mpispec
