//===- ProgramText.h - Declarations of a unit that belong to the program ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_FRONTEND_PROGRAMTEXT_H
#define MPISPEC_FRONTEND_PROGRAMTEXT_H

#include "Frontend/Parse.h"
#include "clang/AST/DeclBase.h"

namespace mpispec {

/// Does the declaration \p D of \p Unit belong to the program? Declarations of system headers and
/// of the handle probe do not.
bool isProgramText(const ParsedUnit &Unit, const clang::Decl *D);

} // namespace mpispec
#endif
