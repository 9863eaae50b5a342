//===- LineMacro.h - __LINE__ as gcc counts it ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a macro call that spans several lines, `__LINE__` in the macro's body has two values. For gcc
// it is the line of the macro's name, for Clang that of the closing parenthesis. The standard
// allows both (C11 6.10.8.1). MPI programs often wrap calls in such macros:
//
//     CHECK(MPI_Send(buffer, count, MPI_DOUBLE,
//                    peer, tag, comm));
//
// If gcc compiles the program, Clang must count like gcc, because the number is part of the program
// that is analysed.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_LINEMACRO_H
#define MPISPEC_REWRITE_LINEMACRO_H

namespace clang {
class Preprocessor;
}

namespace mpispec {

/// Makes `__LINE__` in \p PP expand to gcc's value. Called before the main file is entered.
void countLinesLikeGcc(clang::Preprocessor &PP);

} // namespace mpispec
#endif
