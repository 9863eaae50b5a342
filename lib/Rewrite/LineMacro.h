//===- LineMacro.h - __LINE__ as gcc counts it ------------------------------------------------===//
//
// In a macro call that spans lines, `__LINE__` in the macro's body is the line of the macro's name
// to gcc and the line of the closing parenthesis to Clang; the standard allows both (C11 6.10.8.1).
// MPI programs often wrap calls in such macros:
//
//     CHECK(MPI_Send(buffer, count, MPI_DOUBLE,
//                    peer, tag, comm));
//
// Where gcc compiles, Clang must count like gcc: the number is part of the program that is
// analysed.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_LINEMACRO_H
#define MPISPEC_REWRITE_LINEMACRO_H

namespace clang {
class Preprocessor;
}

namespace mpispec {

/// Makes `__LINE__` expand in \p PP to what it is for gcc; to be called before the main file is
/// entered.
void countLinesLikeGcc(clang::Preprocessor &PP);

} // namespace mpispec
#endif
