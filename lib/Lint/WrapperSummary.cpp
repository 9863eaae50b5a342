//===- WrapperSummary.cpp - The wrappers of a unit, and its calls of functions ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Spelling.h"
#include "Lint/UnitRules.h"
#include "MPI/Datatypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/IR/Constants.h"

using namespace clang;

namespace mpispec {

namespace {
class WrapperReader {
public:
  explicit WrapperReader(const UnitCalls &Unit) : Unit(Unit), Names(Unit.context()) {}
  void read(const FunctionDecl *Function, UnitReport &Report);

private:
  KnownArgument known(const Expr *E) const;
  KnownArgument number(const Expr *E) const;
  KnownArgument object(const Expr *E) const;
  KnownArgument handedOn(const Expr *E) const;
  void readCallsBelow(const Stmt *S, UnitReport &Report);
  void readCall(const CallExpr *Call, UnitReport &Report);

  const UnitCalls &Unit;
  ASTNameGenerator Names;
};
} // namespace

//===- The known facts about an argument -----------------------------------------------------===//

/// Is \p Value a rank or a tag that MPI has a name for?
static bool isNamedInteger(const Handles &Values, int64_t Value) {
  return llvm::any_of(allNamedConstants(), [&](const NamedConstant &C) {
    auto *Number = C.K == NamedConstant::Integer
                       ? dyn_cast_or_null<llvm::ConstantInt>(Values.value(C.Name))
                       : nullptr;
    return Number && Number->getSExtValue() == Value;
  });
}

KnownArgument WrapperReader::number(const Expr *E) const {
  Expr::EvalResult Value;
  KnownArgument A;
  if (!E->getType()->isIntegerType() || !E->EvaluateAsInt(Value, Unit.context()) ||
      Value.Val.getInt().getSignificantBits() > 63)
    return A;
  A.K = KnownArgument::Number;
  A.Value = Value.Val.getInt().getExtValue();
  A.IsNamed = isNamedInteger(Unit.unit().Values, A.Value);
  return A;
}

/// The facts about \p E if it is the name of an array or the address of a variable: the bytes of
/// the object.
KnownArgument WrapperReader::object(const Expr *E) const {
  KnownArgument A;
  const VarDecl *Variable = variableAt(E);
  if (!Variable && E->IgnoreParenImpCasts()->getType()->isConstantArrayType())
    Variable = variableOf(E->IgnoreParenImpCasts());
  if (!Variable || isa<ParmVarDecl>(Variable) || isa<CStyleCastExpr>(E->IgnoreParenImpCasts()))
    return A;
  QualType Type = Variable->getType();
  bool IsComplete = !Type->isReferenceType() && !Type->isDependentType() &&
                    !Type->isIncompleteType() && !Type->isVariableArrayType();
  if (!IsComplete || Type->isRecordType()) // which may end in an array of any length
    return A;
  A.K = KnownArgument::Object;
  A.Value = Unit.context().getTypeSizeInChars(Type).getQuantity();
  A.Element = spellingOf(E, Unit.context()).ElementSize;
  A.Text = sourceText(E, Unit.context());
  return A;
}

KnownArgument WrapperReader::known(const Expr *E) const {
  KnownArgument A;
  if (E->isValueDependent() || E->isTypeDependent())
    return A;
  const Handles &Values = Unit.unit().Values;
  const DatatypeInfo *Datatype = lookUpDatatype(sourceText(E, Unit.context()));
  if (Datatype && Values.value(Datatype->Name) &&
      Values.datatype(Values.value(Datatype->Name)) == Datatype && Values.size(*Datatype)) {
    A.K = KnownArgument::Datatype;
    A.Value = *Values.size(*Datatype);
    A.Text = Datatype->Name.str();
    return A;
  }
  A = number(E);
  return A.K == KnownArgument::Unknown && E->getType()->isPointerType() ? object(E) : A;
}

/// For an argument \p E in a wrapper: the parameter, if it is one, or the known facts about it.
KnownArgument WrapperReader::handedOn(const Expr *E) const {
  const auto *Name = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *Parameter = Name ? dyn_cast<ParmVarDecl>(Name->getDecl()) : nullptr;
  if (!Parameter)
    return known(E);
  KnownArgument A;
  A.K = KnownArgument::Parameter;
  A.Value = Parameter->getFunctionScopeIndex();
  return A;
}

//===- Wrappers ------------------------------------------------------------------------------===//

/// Reads the calls in \p S. Calls below an `if` with a constant condition are left out, because
/// they may be dead code.
void WrapperReader::readCallsBelow(const Stmt *S, UnitReport &Report) {
  if (!S)
    return;
  Expr::EvalResult Value;
  if (const auto *If = dyn_cast<IfStmt>(S))
    if (!If->getCond()->isValueDependent() && If->getCond()->EvaluateAsInt(Value, Unit.context()))
      return;
  if (const auto *Call = dyn_cast<CallExpr>(S))
    readCall(Call, Report);
  for (const Stmt *Child : S->children())
    readCallsBelow(Child, Report);
}

void WrapperReader::readCall(const CallExpr *Call, UnitReport &Report) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || Callee->isVariadic() || isa<CXXMethodDecl>(Callee) || Callee->getBuiltinID() ||
      Unit.find(Call) || Call->getNumArgs() != Callee->getNumParams() ||
      Unit.unit().sources().isInSystemHeader(Callee->getLocation()))
    return;
  FunctionCall C;
  for (const Expr *Argument : Call->arguments())
    C.Arguments.push_back(known(Argument));
  if (llvm::all_of(C.Arguments,
                   [](const KnownArgument &A) { return A.K == KnownArgument::Unknown; }))
    return;
  C.Function = linkerName(*Callee, Unit, Names);
  C.Name = Callee->getNameAsString();
  C.Where = Unit.place(Call->getBeginLoc());
  Report.Calls.push_back(std::move(C));
}

void WrapperReader::read(const FunctionDecl *Function, UnitReport &Report) {
  bool IsUnused = !Function->isExternallyVisible() && !Function->isUsed(/*CheckUsedAttr=*/false);
  if (IsUnused)
    return;
  readCallsBelow(Function->getBody(), Report);
  if (isa<CXXMethodDecl>(Function))
    return;
  FunctionSummary F;
  F.Function = linkerName(*Function, Unit, Names);
  bool IsSummarised = !Function->hasAttr<WeakAttr>() && onlyReadsParameters(Function->getBody());
  if (IsSummarised)
    for (const MPICall &Call : sureCalls(Unit, Function->getBody())) {
      HandedOn H;
      H.Callee = Call.Site->Callee;
      for (const Expr *Argument : Call.Call->arguments())
        H.Arguments.push_back(handedOn(Argument));
      F.Calls.push_back(std::move(H));
    }
  Report.Functions.push_back(std::move(F));
}

void summariseWrappers(const UnitCalls &Unit, UnitReport &Report) {
  WrapperReader Reader(Unit);
  for (const FunctionDecl *Function : Unit.functions())
    Reader.read(Function, Report);
}

} // namespace mpispec
