//===- ProgramText.h - Declarations of a unit that belong to the program ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_FRONTEND_PROGRAMTEXT_H
#define MPISPEC_FRONTEND_PROGRAMTEXT_H

#include "Frontend/Parse.h"
#include "clang/AST/DeclBase.h"

namespace mpispec {

/// Is \p D, a declaration of \p Unit, the program's: neither the system's, nor part of the handle
/// probe, which follows the user's text?
bool isProgramText(const ParsedUnit &Unit, const clang::Decl *D);

} // namespace mpispec
#endif
