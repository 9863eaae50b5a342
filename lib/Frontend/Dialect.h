//===- Dialect.h - Does the unit use what Clang ignores and gcc obeys? ------------------------===//
//
// Attributes and pragmas that change what a program computes: `optimize("wrapv")`,
// `optimize("fast-math")`, `scalar_storage_order`. Clang warns, if at all, and goes on. What it
// would prove in such a unit may not hold when the program runs. That is no danger, since each fact
// is compared with the call's arguments, but guards that fail cost speed, and a warning of a wrong
// argument would be false.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FRONTEND_DIALECT_H
#define MPISPEC_FRONTEND_DIALECT_H

#include "clang/AST/ASTContext.h"
#include "clang/Lex/Preprocessor.h"

namespace mpispec {

/// Watches for such pragmas; to be called before the main file is entered. \p Seen is set where one
/// stands in the text, and must outlive the parse.
void watchDialectPragmas(clang::Preprocessor &PP, bool &Seen);

/// Has a declaration of the parsed unit such an attribute?
bool hasDialectAttribute(const clang::ASTContext &Context);

} // namespace mpispec
#endif
