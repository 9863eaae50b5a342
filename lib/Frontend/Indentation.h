//===- Indentation.h - gcc's warning about misleading indentation -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gcc's -Wmisleading-indentation, which -Wall includes, compares columns. It never warns where
// there are line markers, so a compile of preprocessed text cannot give the warning. This file
// applies the same rule to Clang's syntax tree, which has the columns of the source:
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

/// True where gcc warns of a function of the user. It may be true where gcc does not: directives
/// between the statements are not considered.
bool mayMislead(clang::ASTContext &Unit);

} // namespace mpispec
#endif
