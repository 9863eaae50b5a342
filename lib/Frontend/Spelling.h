//===- Spelling.h - Names and literals in an argument's expression ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_FRONTEND_SPELLING_H
#define MPISPEC_FRONTEND_SPELLING_H

#include "Frontend/CallSite.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace mpispec {

/// Classifies \p E as a kind of constant, or as the variable that it reads.
Spelling spellingOf(const clang::Expr *E, const clang::ASTContext &Context);

/// The text of \p E as the user wrote it, on one line.
std::string sourceText(const clang::Expr *E, const clang::ASTContext &Context);

} // namespace mpispec
#endif
