//===- EvaluatedVisitor.h - The code that a program may execute -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A visitor that leaves out operands which are never evaluated: those of `sizeof`, `alignof` and
// `noexcept`, and what `_Generic` does not choose. Calls there are no calls.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FRONTEND_EVALUATEDVISITOR_H
#define MPISPEC_FRONTEND_EVALUATEDVISITOR_H

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"

namespace mpispec {

class EvaluatedVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *E) override {
    return !E->getTypeOfArgument()->isVariablyModifiedType() ||
           clang::DynamicRecursiveASTVisitor::TraverseUnaryExprOrTypeTraitExpr(E);
  }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr *) override { return true; }
  bool TraverseGenericSelectionExpr(clang::GenericSelectionExpr *E) override {
    return E->isResultDependent() || TraverseStmt(E->getResultExpr());
  }
};

} // namespace mpispec
#endif
