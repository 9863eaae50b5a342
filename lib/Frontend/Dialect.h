//===- Dialect.h - Attributes that Clang ignores and gcc obeys --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some attributes and pragmas change a program's result under gcc: `optimize("wrapv")`,
// `optimize("fast-math")`, `scalar_storage_order`. Clang ignores them, with a warning at most.
// Facts that Clang proves in such a unit may not hold when the program runs. Results stay correct,
// because each fact is compared with the call's arguments. But guards that fail cost time, and a
// warning about an argument could be false.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FRONTEND_DIALECT_H
#define MPISPEC_FRONTEND_DIALECT_H

#include "clang/AST/ASTContext.h"
#include "clang/Lex/Preprocessor.h"

namespace mpispec {

/// Makes the preprocessor set \p Seen if the text contains such a pragma. Must be called before the
/// main file is entered. \p Seen must outlive the parse.
void watchDialectPragmas(clang::Preprocessor &PP, bool &Seen);

/// Has a declaration of the parsed unit such an attribute?
bool hasDialectAttribute(const clang::ASTContext &Context);

} // namespace mpispec
#endif
