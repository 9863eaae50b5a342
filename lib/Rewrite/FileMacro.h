//===- FileMacro.h - __FILE__ as gcc names files ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gcc and Clang name some files differently. A header that a source includes by quotes is "h.h" for
// gcc and "./h.h" for Clang. Directories that are given twice, or that a compiler searches by
// itself, cause other differences. The two readings of a program would then differ in the text of
// an assertion, and the unit could not be rewritten:
//
//     #define CHECK(x) ((x) ? (void)0 : failed(#x, __FILE__, __LINE__))
//
// Therefore, if gcc compiles the program, Clang names each file like the line markers of gcc's
// text.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_FILEMACRO_H
#define MPISPEC_REWRITE_FILEMACRO_H

#include "llvm/ADT/StringRef.h"

namespace clang {
class Preprocessor;
}

namespace mpispec {

/// Makes `__FILE__` in \p PP expand to its value in \p Text, gcc's preprocessed text of the same
/// source. Called before the main file is entered.
void nameFilesLikeGcc(clang::Preprocessor &PP, llvm::StringRef Text);

} // namespace mpispec
#endif
