//===- FileMacro.h - __FILE__ as gcc names files ----------------------------------------------===//
//
// A header that a source includes by quotes is "h.h" to gcc and "./h.h" to Clang; directories that
// are named twice, or that a compiler searches by itself, give other differences. The text of an
// assertion may not cost the unit its analysis:
//
//     #define CHECK(x) ((x) ? (void)0 : failed(#x, __FILE__, __LINE__))
//
// So where gcc compiles, Clang names each file as the line markers of gcc's text do.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_FILEMACRO_H
#define MPISPEC_REWRITE_FILEMACRO_H

#include "llvm/ADT/StringRef.h"

namespace clang {
class Preprocessor;
}

namespace mpispec {

/// Makes `__FILE__` expand in \p PP to what it is in \p Text, gcc's preprocessed text of the same
/// source; to be called before the main file is entered.
void nameFilesLikeGcc(clang::Preprocessor &PP, llvm::StringRef Text);

} // namespace mpispec
#endif
