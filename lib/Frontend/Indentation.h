//===- Indentation.h - Would gcc call the indentation misleading? -----------------------------===//
//
// gcc's -Wmisleading-indentation, which -Wall includes, compares columns, and never where there are
// line markers. So it is lost in preprocessed text, and no compile of such text can say that the
// source has it. Here is the same question asked of Clang's syntax tree, which is of the source:
//
//     if (flag)      the guard
//       send();      its body, without braces
//       receive();   the next statement, which looks as if it were guarded, too
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FRONTEND_INDENTATION_H
#define MPISPEC_FRONTEND_INDENTATION_H

namespace clang {
class ASTContext;
}

namespace mpispec {

/// True where gcc warns of a function of the user. It may be true where gcc does not: directives
/// between the statements are not looked at.
bool mayMislead(clang::ASTContext &Unit);

} // namespace mpispec
#endif
