//===- UnreadStatuses.cpp - Statuses that the program never reads -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/UnreadStatuses.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace mpispec {

static const DeclRefExpr *rootOf(const Expr *Pointer);

/// The name of the variable that \p Object is, or is an element of; or null.
static const DeclRefExpr *rootOfObject(const Expr *Object) {
  Object = Object->IgnoreParens();
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Object))
    return rootOf(Element->getBase());
  return dyn_cast<DeclRefExpr>(Object);
}

/// The name of the variable into which \p Pointer points in any case; or null.
static const DeclRefExpr *rootOf(const Expr *Pointer) {
  Pointer = Pointer->IgnoreParens();
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Pointer))
    return Cast->getCastKind() == CK_ArrayToPointerDecay ? rootOfObject(Cast->getSubExpr())
           : Cast->getCastKind() == CK_NoOp              ? rootOf(Cast->getSubExpr())
                                                         : nullptr;
  if (const auto *Operator = dyn_cast<UnaryOperator>(Pointer))
    return Operator->getOpcode() == UO_AddrOf ? rootOfObject(Operator->getSubExpr()) : nullptr;
  if (const auto *Sum = dyn_cast<BinaryOperator>(Pointer); Sum && Sum->isAdditiveOp())
    return rootOf(Sum->getLHS()->getType()->isPointerType() ? Sum->getLHS() : Sum->getRHS());
  return nullptr;
}

/// The variable that \p Name names; or null.
static const VarDecl *variableOf(const DeclRefExpr *Name) {
  return Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
}

/// Is \p D in a C++ template, or in an instance of one? There one declaration of the text stands
/// for several variables.
static bool isInstantiated(const Decl *D) {
  for (const DeclContext *Scope = D->getDeclContext(); Scope; Scope = Scope->getParent()) {
    if (Scope->isDependentContext())
      return true;
    if (const auto *Function = dyn_cast<FunctionDecl>(Scope))
      if (Function->getTemplateInstantiationPattern())
        return true;
    if (const auto *Record = dyn_cast<CXXRecordDecl>(Scope))
      if (Record->getTemplateInstantiationPattern())
        return true;
  }
  return false;
}

/// May \p Variable stay unwritten if nothing reads it? No if its destructor calls a function, if it
/// is volatile, or if it has an attribute other than `unused`.
static bool isPlain(const VarDecl &Variable) {
  bool OnlyUnused = !Variable.hasAttrs() || llvm::all_of(Variable.getAttrs(), [](const Attr *A) {
    return isa<UnusedAttr>(A);
  });
  QualType Element = Variable.getASTContext().getBaseElementType(Variable.getType());
  return Variable.hasLocalStorage() && !isa<ParmVarDecl>(Variable) && OnlyUnused &&
         Element->isRecordType() && !Element.isVolatileQualified() && !Element.isDestructedType();
}

/// Walks one declaration of the unit.
class StatusVisitor : public DynamicRecursiveASTVisitor {
public:
  StatusVisitor(UnreadStatuses &Statuses, UnreadStatuses::FunctionOf Function)
      : Statuses(Statuses), Function(Function) {}

  bool VisitVarDecl(VarDecl *Variable) override {
    if (isPlain(*Variable) && !isInstantiated(Variable))
      Statuses.Variables.insert(Variable);
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionInfo *Info = Function(*Call);
    for (Role R : {Role::Status, Role::Statuses})
      if (std::optional<unsigned> Index = Info ? Info->find(R) : std::nullopt)
        if (const DeclRefExpr *Name = rootOf(Call->getArg(*Index)))
          Statuses.Filled.insert(Name);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Name) override {
    if (const VarDecl *Variable = variableOf(Name); Variable && !Statuses.Filled.contains(Name))
      Statuses.Read.insert(Variable);
    return true;
  }

private:
  UnreadStatuses &Statuses;
  UnreadStatuses::FunctionOf Function;
};

void UnreadStatuses::read(Decl *Outermost, FunctionOf Function) {
  StatusVisitor(*this, Function).TraverseDecl(Outermost);
}

bool UnreadStatuses::has(const Expr *Argument) const {
  const VarDecl *Variable = variableOf(rootOf(Argument));
  return Variable && Variables.contains(Variable) && !Read.contains(Variable);
}

} // namespace mpispec
