//===- RequestedSize.cpp - Ranks beyond the size that a program requires ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     MPI_Comm_size(MPI_COMM_WORLD, &size);
//     if (size < 2)
//       MPI_Abort(MPI_COMM_WORLD, 1);
//     if (rank == 0)
//       MPI_Send(x, n, MPI_DOUBLE, 2, 7, MPI_COMM_WORLD);
//
// A program may compare the size of MPI_COMM_WORLD with a constant, and end if there are fewer
// processes. Then the program must be correct with this number of processes. A rank of
// MPI_COMM_WORLD is less than its size (MPI-4.0, section 3.2.3). The rule follows the statements
// behind the condition only while they are sure to be executed by a process of such a run. It
// descends into conditions on the rank and into no other ones, because any other condition may
// exclude a run with few processes.
//
//===------------------------------------------------------------------------------------------===//
#include "Lint/RankVariables.h"
#include "Lint/UnitRules.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace mpispec {

namespace {
/// The condition `If` allows runs with `Size` processes, but not with fewer.
struct Demand {
  const IfStmt *If = nullptr;
  int64_t Size = 0;    ///< two at least
  bool InThen = false; ///< runs of `Size` execute the branch; else they continue behind the `if`
};

class SizeChecker {
public:
  SizeChecker(const UnitCalls &Unit, std::vector<LintFinding> &Findings)
      : Unit(Unit), Ranks(Unit), Findings(Findings) {}
  void check(const Stmt *S);

private:
  std::optional<Demand> demand(const IfStmt *If) const;
  bool leaves(const Stmt *S) const;
  bool reachesEnd(const Stmt *S) const;
  bool walk(llvm::ArrayRef<const Stmt *> Statements, const Demand &Of);
  bool walk(const Stmt *S, const Demand &Of);
  bool walkBranches(const IfStmt *If, const RankCondition &Condition, const Demand &Of);
  void compare(const MPICall &Call, const Demand &Of);

  const UnitCalls &Unit;
  const RankVariables Ranks;
  std::vector<LintFinding> &Findings;
};
} // namespace

/// Is \p S, or the last statement of this block, a return or a call that ends the program?
bool SizeChecker::leaves(const Stmt *S) const {
  if (const auto *Block = dyn_cast<CompoundStmt>(S))
    return !Block->body_empty() && leaves(Block->body_back());
  return isa<ReturnStmt>(S) || endsProgram(Unit, S);
}

/// Accepts `size < 2` and `size <= 1` if the branch ends the program or the function. Accepts
/// `size >= 2` and `size > 1` with any branch. Conditions such as `size == 2` are left to the
/// optimizer and the rule about arguments.
std::optional<Demand> SizeChecker::demand(const IfStmt *If) const {
  const auto *Compare = dyn_cast<BinaryOperator>(If->getCond()->IgnoreParenImpCasts());
  if (!Compare || !Compare->isRelationalOp())
    return std::nullopt;
  std::optional<NamedComm> Comm = Ranks.commOfSize(Compare->getLHS());
  std::optional<int64_t> Number = Ranks.number(Compare->getRHS());
  if (!Comm || Comm->Variable || !Number)
    return std::nullopt;
  BinaryOperatorKind Kind = Compare->getOpcode();
  bool IsNext = Kind == BO_LE || Kind == BO_GT;
  Demand Found{If, *Number + IsNext, Kind == BO_GE || Kind == BO_GT};
  bool Admits = Found.InThen || (!If->getElse() && leaves(If->getThen()));
  return Admits && Found.Size > 1 ? std::optional(Found) : std::nullopt;
}

void SizeChecker::compare(const MPICall &Call, const Demand &Of) {
  const Expr *Comm = Call.argument(Role::Comm);
  std::optional<NamedComm> Named = Comm ? Ranks.comm(Comm) : std::nullopt;
  if (!Call.Facts || Call.isDead() || !Named || Named->Variable)
    return;
  for (Role R : {Role::Peer, Role::Destination, Role::Source, Role::Root}) {
    const Answer *Rank = answerOf(*Call.Site->Function, *Call.Facts, R);
    if (!Rank || Rank->K != Answer::Constant || Rank->Low < Of.Size)
      continue;
    Findings.push_back(
        {LintRule::Ranks, Call.place(),
         (Call.Site->Callee + ": " + text(R) + " is " + llvm::Twine(Rank->Low) +
          ", but the condition in line " + llvm::Twine(Unit.place(Of.If->getBeginLoc()).Line) +
          " admits runs with " + llvm::Twine(Of.Size) + " processes")
             .str()});
  }
}

/// Does each process that begins \p S certainly reach its end?
bool SizeChecker::reachesEnd(const Stmt *S) const {
  bool Leaves = false;
  forEachStatement(S, [&](const Stmt *Below) { Leaves |= mayLeave(Below) || leaves(Below); });
  return !Leaves && callsNothingUnknown(Unit, S);
}

/// Walks both branches if the condition selects one rank of the run. The run also has other ranks.
/// Therefore both branches are executed. Any other condition, such as `rank % 4`, may hold for no
/// rank of the run.
bool SizeChecker::walkBranches(const IfStmt *If, const RankCondition &Condition, const Demand &Of) {
  bool IsInRun = Condition.Rank && *Condition.Rank < Of.Size;
  const Stmt *Then = If->getThen(), *Else = If->getElse();
  return (IsInRun ? walk(Then, Of) : reachesEnd(Then)) &&
         (!Else || (IsInRun ? walk(Else, Of) : reachesEnd(Else)));
}

/// Compares the calls that a process of the run is sure to make in the statement.
/// Returns whether all processes of the run reach the end of the statement.
bool SizeChecker::walk(const Stmt *S, const Demand &Of) {
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    llvm::SmallVector<const Stmt *> Statements(Block->body());
    return walk(Statements, Of);
  }
  if (const auto *If = dyn_cast<IfStmt>(S))
    if (std::optional<RankCondition> Condition = Ranks.condition(If->getCond());
        Condition && !Condition->Comm.Variable)
      return walkBranches(If, *Condition, Of);
  if (!reachesEnd(S))
    return false;
  for (const MPICall &Call : sureCalls(Unit, S))
    compare(Call, Of);
  return true;
}

bool SizeChecker::walk(llvm::ArrayRef<const Stmt *> Statements, const Demand &Of) {
  return llvm::all_of(Statements, [&](const Stmt *S) { return walk(S, Of); });
}

void SizeChecker::check(const Stmt *S) {
  if (const auto *If = dyn_cast<IfStmt>(S))
    if (std::optional<Demand> Of = demand(If); Of && Of->InThen)
      walk(If->getThen(), *Of);
  const auto *Block = dyn_cast<CompoundStmt>(S);
  if (!Block)
    return;
  llvm::SmallVector<const Stmt *> Statements(Block->body());
  for (auto [At, Inner] : llvm::enumerate(Statements))
    if (const auto *If = dyn_cast<IfStmt>(Inner))
      if (std::optional<Demand> Of = demand(If); Of && !Of->InThen)
        walk(llvm::ArrayRef<const Stmt *>(Statements).drop_front(At + 1), *Of);
}

void findRanksBeyondSize(const UnitCalls &Unit, std::vector<LintFinding> &Findings) {
  SizeChecker Checker(Unit, Findings);
  for (const FunctionDecl *Function : Unit.functions())
    if (Function->isMain())
      forEachStatement(Function->getBody(), [&](const Stmt *S) { Checker.check(S); });
}

} // namespace mpispec
