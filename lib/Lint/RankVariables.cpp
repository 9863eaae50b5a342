//===- RankVariables.cpp - Variables that hold a rank or the number of processes --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lint/RankVariables.h"
#include "clang/AST/ASTContext.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace mpispec {

/// Counts the uses of variables, and those that are reads. A use that is no read may be a write: an
/// assignment, an address, a reference.
void RankVariables::countUses(const Stmt *Body) {
  forEachStatement(Body, [&](const Stmt *S) {
    if (const auto *Name = dyn_cast<DeclRefExpr>(S))
      if (const auto *Variable = dyn_cast<VarDecl>(Name->getDecl()))
        ++Counts[Variable].All;
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(S);
        Cast && Cast->getCastKind() == CK_LValueToRValue)
      if (const auto *Name = dyn_cast<DeclRefExpr>(Cast->getSubExpr()->IgnoreParens()))
        if (const auto *Variable = dyn_cast<VarDecl>(Name->getDecl()))
          ++Counts[Variable].Reads;
  });
}

RankVariables::RankVariables(const UnitCalls &Unit) : Unit(Unit) {
  for (const FunctionDecl *Function : Unit.functions()) {
    countUses(Function->getBody());
    for (const MPICall &Call : Unit.callsIn(Function->getBody())) {
      if (Call.name() != "Comm_rank" && Call.name() != "Comm_size")
        continue;
      Role What = Call.name() == "Comm_rank" ? Role::Rank : Role::Size;
      if (const VarDecl *Variable = variableAt(Call.argument(What))) {
        Setter &S = Setters[Variable];
        S.Comm = Call.argument(Role::Comm);
        S.What = What;
        ++S.Times;
      }
    }
  }
}

unsigned RankVariables::writes(const VarDecl *Variable) const {
  Uses U = Counts.lookup(Variable);
  return U.All - U.Reads;
}

std::optional<NamedComm> RankVariables::comm(const Expr *E) const {
  const VarDecl *Variable = variableOf(E);
  if (Variable && Variable->hasLocalStorage() && !Variable->getType()->isReferenceType()) {
    bool IsGiven = isa<ParmVarDecl>(Variable) || Variable->hasInit();
    if (IsGiven && !isa<ParmVarDecl>(Variable) && writes(Variable) == 0)
      if (std::optional<NamedComm> Same = comm(Variable->getInit()); Same && !Same->Variable)
        return Same; // another name of MPI_COMM_WORLD
    if (writes(Variable) <= (IsGiven ? 0 : 1))
      return NamedComm{Variable};
    return std::nullopt;
  }
  const SourceManager &SM = Unit.unit().sources();
  CharSourceRange Text = SM.getExpansionRange(SourceRange(E->getBeginLoc(), E->getEndLoc()));
  bool IsWorld = Lexer::getSourceText(Text, SM, Unit.context().getLangOpts()) == "MPI_COMM_WORLD";
  return IsWorld ? std::optional(NamedComm()) : std::nullopt;
}

/// The communicator whose MPI_Comm_rank or MPI_Comm_size sets \p E.
std::optional<NamedComm> RankVariables::commOf(const Expr *E, Role What) const {
  const VarDecl *Variable = variableOf(E);
  bool IsOwn = Variable && (Variable->hasLocalStorage() || !Variable->hasExternalFormalLinkage());
  auto Set = IsOwn ? Setters.find(Variable) : Setters.end();
  if (Set == Setters.end() || isa<ParmVarDecl>(Variable) || Set->second.Times != 1 ||
      Set->second.What != What || writes(Variable) != 1)
    return std::nullopt;
  return comm(Set->second.Comm);
}

std::optional<int64_t> RankVariables::number(const Expr *E) const {
  Expr::EvalResult Value;
  if (E->isValueDependent() || !E->getType()->isIntegerType() ||
      !E->EvaluateAsInt(Value, Unit.context()) || Value.Val.getInt().getSignificantBits() > 63)
    return std::nullopt;
  return Value.Val.getInt().getExtValue();
}

/// `rank % 2`, `rank & 1`: some ranks have one value, and some another.
std::optional<RankCondition> RankVariables::partOfRank(const Expr *E) const {
  const auto *Part = dyn_cast<BinaryOperator>(E);
  if (!Part || (Part->getOpcode() != BO_Rem && Part->getOpcode() != BO_And))
    return std::nullopt;
  std::optional<int64_t> Number = number(Part->getRHS());
  bool Splits = Number && *Number >= (Part->getOpcode() == BO_Rem ? 2 : 1);
  std::optional<NamedComm> Comm = Splits ? commOfRank(Part->getLHS()) : std::nullopt;
  return Comm ? std::optional(RankCondition{*Comm, std::nullopt}) : std::nullopt;
}

/// `rank == 2`, `rank > 0`, `rank % 2 == 1`, ...
std::optional<RankCondition> RankVariables::comparison(const BinaryOperator *Compare) const {
  std::optional<int64_t> Number = number(Compare->getRHS());
  const Expr *Left = Compare->getLHS()->IgnoreParenImpCasts();
  BinaryOperatorKind Kind = Compare->getOpcode();
  if (!Number || !Compare->isComparisonOp())
    return std::nullopt;
  if (Compare->isEqualityOp())
    if (std::optional<RankCondition> Part = partOfRank(Left))
      return Part;
  std::optional<NamedComm> Comm = commOfRank(Left);
  if (!Comm)
    return std::nullopt;
  if (Compare->isEqualityOp() && *Number >= 0)
    return RankCondition{*Comm, *Number, Kind == BO_NE};
  if ((Kind == BO_GT && *Number == 0) || (Kind == BO_GE && *Number == 1))
    return RankCondition{*Comm, 0, /*Negated=*/true};
  if ((Kind == BO_LE && *Number == 0) || (Kind == BO_LT && *Number == 1))
    return RankCondition{*Comm, 0};
  return std::nullopt;
}

std::optional<RankCondition> RankVariables::condition(const Expr *Condition) const {
  Condition = Condition->IgnoreParenImpCasts();
  if (std::optional<RankCondition> Part = partOfRank(Condition))
    return Part;
  if (const auto *Compare = dyn_cast<BinaryOperator>(Condition))
    return comparison(Compare);
  const auto *Not = dyn_cast<UnaryOperator>(Condition);
  bool IsNot = Not && Not->getOpcode() == UO_LNot;
  std::optional<NamedComm> Comm = commOfRank(IsNot ? Not->getSubExpr() : Condition);
  return Comm ? std::optional(RankCondition{*Comm, 0, !IsNot}) : std::nullopt;
}

} // namespace mpispec
