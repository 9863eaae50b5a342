//===- GccIdentity.h - The user's text read as gcc reads it -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some headers of programs test which compiler reads them:
//
//     #ifdef __clang__
//     #  define ASSUME(x) __builtin_assume(x)
//     #elif __GNUC__ >= 13 ...
//
// If gcc compiles the program, one test of this kind would make Clang analyse another program. The
// unit could not be rewritten (Alignment.h). Therefore Clang reads user text with gcc's macros. It
// reads system headers with its own macros, because headers may choose code for gcc that Clang
// cannot parse.
//
// The first reading uses what is available without running gcc: the version in the names of gcc's
// own headers, and a table of builtins. If the unit is still read differently, a second reading
// uses gcc's own answers (GccAnswers.h).
//
// An imperfect result is harmless, because the alignment still compares both readings.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_GCCIDENTITY_H
#define MPISPEC_REWRITE_GCCIDENTITY_H

#include "Rewrite/GccAnswers.h"
#include <optional>

namespace clang {
class Preprocessor;
}

namespace mpispec {

struct GccVersion {
  unsigned Major = 0, Minor = 0, Patch = 0;
};

/// The version of the gcc that preprocessed \p Text, from the directory of its own headers
/// (`.../gcc/<target>/12/include/stddef.h`). None if the text contains no such header. Some
/// installations name only the major version.
std::optional<GccVersion> gccVersionOf(llvm::StringRef Text);

/// Makes \p PP read user text with the macros of \p Version. Called before the main file is
/// entered.
void readUserTextAsGcc(clang::Preprocessor &PP, GccVersion Version);

/// Like the function above, with all macros and answers of gcc itself. \p Answers must outlive the
/// parse. If gcc fails, the result is false and \p PP is unchanged.
bool readUserTextAsGcc(clang::Preprocessor &PP, GccAnswers &Answers);

} // namespace mpispec
#endif
