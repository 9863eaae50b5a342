//===- Parameters.cpp - Numbers that reach MPI calls through parameters -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lint/Parameters.h"
#include "Frontend/ProgramText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace mpispec {

/// Passes each mention of a function of the program to Parameters.
class ParameterVisitor : public DynamicRecursiveASTVisitor {
public:
  ParameterVisitor(Parameters &Found, const UnitCalls &Unit) : Found(Found), Unit(Unit) {
    ShouldVisitTemplateInstantiations = true;
    ShouldWalkTypesOfTypeLocs = false;
  }
  bool TraverseDecl(Decl *D) override {
    if (D && D->isDefinedOutsideFunctionOrMethod() && !isProgramText(Unit.unit(), D))
      return true;
    return DynamicRecursiveASTVisitor::TraverseDecl(D);
  }
  bool TraverseFunctionDecl(FunctionDecl *Function) override {
    bool IsUnused = !Function->isExternallyVisible() && !Function->isUsed(/*CheckUsedAttr=*/false);
    return traverse(IsUnused, [&] { return Base::TraverseFunctionDecl(Function); });
  }
  bool TraverseIfStmt(IfStmt *If) override {
    Expr::EvalResult Value;
    bool IsDecided =
        !If->getCond()->isValueDependent() && If->getCond()->EvaluateAsInt(Value, Unit.context());
    return traverse(IsDecided, [&] { return Base::TraverseIfStmt(If); });
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const auto *Name = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts());
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (Name && Callee && isFunctionOfProgram(*Callee)) {
      Called.insert(Name);
      Found.readCall(*Call, *Callee, Dead > 0);
    }
    return true;
  }
  /// Calls by the name of an alias reach the function as well.
  bool VisitFunctionDecl(FunctionDecl *Function) override {
    const auto *Alias = Function->getAttr<AliasAttr>();
    const ASTContext &Context = Unit.context();
    if (Alias)
      for (const NamedDecl *Same :
           Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Alias->getAliasee())))
        if (const auto *Aliasee = dyn_cast<FunctionDecl>(Same))
          Found.open(*Aliasee, Aliasee->getNumParams());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Name) override {
    const auto *Function = dyn_cast<FunctionDecl>(Name->getDecl());
    if (Function && isFunctionOfProgram(*Function) && !Called.contains(Name))
      Found.open(*Function, Function->getNumParams());
    return true;
  }

private:
  using Base = DynamicRecursiveASTVisitor;
  bool traverse(bool MayBeDead, llvm::function_ref<bool()> Below) {
    Dead += MayBeDead;
    bool Continues = Below();
    Dead -= MayBeDead;
    return Continues;
  }
  bool isFunctionOfProgram(const FunctionDecl &Function) const {
    return Function.getIdentifier() && !Function.getName().starts_with("MPI_") &&
           !Function.getName().starts_with("mpispec.") && isProgramText(Unit.unit(), &Function);
  }
  Parameters &Found;
  const UnitCalls &Unit;
  llvm::DenseSet<const DeclRefExpr *> Called;
  unsigned Dead = 0; ///< functions and statements around that may be dead
};

Parameters::Parameters(const UnitCalls &Unit) : Unit(Unit), Names(Unit.context()) {}

bool Parameters::holdsInt(QualType T) const {
  const ASTContext &Context = Unit.context();
  return T->isIntegralOrEnumerationType() && !T->isBitIntType() && !T->isBooleanType() &&
         Context.getTypeSize(T) >= Context.getTypeSize(Context.IntTy) &&
         Context.getTypeSize(T) <= 64;
}

bool Parameters::isReadOnly(const FunctionDecl &Function) {
  auto [Entry, New] = ReadOnly.try_emplace(&Function, false);
  if (New)
    Entry->second = Function.hasBody() && onlyReadsParameters(Function.getBody());
  return Entry->second;
}

std::optional<ParameterOf> Parameters::find(const Expr *E) {
  const auto *Name = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *Parameter = Name ? dyn_cast<ParmVarDecl>(Name->getDecl()) : nullptr;
  const auto *Function = Parameter ? dyn_cast<FunctionDecl>(Parameter->getDeclContext()) : nullptr;
  if (!Function || Unit.context().getLangOpts().CPlusPlus || !holdsInt(Parameter->getType()) ||
      !holdsInt(E->getType()) || Function->isMain() || !isReadOnly(*Function))
    return std::nullopt;
  return ParameterOf{linkerName(*Function, Unit, Names), Parameter->getFunctionScopeIndex()};
}

GivenNumbers &Parameters::numbers(const FunctionDecl &Function, unsigned Index) {
  std::string Name = linkerName(Function, Unit, Names);
  GivenNumbers &Numbers = Given[{Name, Index}];
  Numbers.To = {Name, Index};
  return Numbers;
}

void Parameters::open(const FunctionDecl &Function, unsigned Count) {
  for (unsigned I = 0; I < Count; ++I)
    numbers(Function, I).IsOpen = true;
}

/// Does \p Number fit into an int?
bool Parameters::fitsInt(const llvm::APSInt &Number) const {
  unsigned Bits = Unit.context().getTypeSize(Unit.context().IntTy);
  return Number.isSigned() ? Number.isSignedIntN(Bits) : Number.isIntN(Bits - 1);
}

void Parameters::readCall(const CallExpr &Call, const FunctionDecl &Callee, bool IsDead) {
  unsigned Count = Call.getNumArgs();
  if (Unit.context().getLangOpts().CPlusPlus || !Callee.hasPrototype() ||
      Count != Callee.getNumParams())
    return open(Callee, std::max(Count, Callee.getNumParams()));
  for (unsigned I = 0; I < Count; ++I) {
    if (!holdsInt(Callee.getParamDecl(I)->getType()))
      continue;
    const Expr *Argument = Call.getArg(I);
    Expr::EvalResult Value;
    GivenNumbers &Numbers = numbers(Callee, I);
    if (std::optional<ParameterOf> Outer = find(Argument))
      Numbers.From.push_back(std::move(*Outer));
    else if (Argument->EvaluateAsInt(Value, Unit.context()) && fitsInt(Value.Val.getInt()))
      Numbers.Numbers.push_back({Value.Val.getInt().getExtValue(), Callee.getNameAsString(),
                                 Unit.place(Call.getBeginLoc()), IsDead});
    else
      Numbers.IsOpen = true;
  }
}

std::vector<GivenNumbers> Parameters::given() {
  ParameterVisitor(*this, Unit).TraverseDecl(Unit.context().getTranslationUnitDecl());
  std::vector<GivenNumbers> All;
  for (auto &[To, Numbers] : Given) {
    if (Numbers.IsOpen) {
      Numbers.Numbers.clear();
      Numbers.From.clear();
    }
    All.push_back(std::move(Numbers));
  }
  return All;
}

} // namespace mpispec
