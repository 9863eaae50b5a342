//===- Indentation.h - gcc's warning about misleading indentation -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gcc's -Wmisleading-indentation, which -Wall includes, compares columns. gcc never gives this
// warning in text with line markers. Therefore a compilation of preprocessed text cannot give it.
// This file applies the same rule to Clang's syntax tree, which has the columns of the source:
//
//   if (flag)      the guard
//     send();      its body, without braces
//     receive();   the next statement, which seems to be guarded, too
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FRONTEND_INDENTATION_H
#define MPISPEC_FRONTEND_INDENTATION_H

namespace clang {
class ASTContext;
}

namespace mpispec {

/// True if gcc gives the warning in a function of the program. May also be true if gcc gives no
/// warning, because directives between the statements are not considered.
bool mayMislead(clang::ASTContext &Unit);

} // namespace mpispec
#endif
