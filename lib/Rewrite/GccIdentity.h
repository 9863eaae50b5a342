//===- GccIdentity.h - The user's text read as gcc reads it -----------------------------------===//
//
// Libraries that come with a program ask which compiler reads them:
//
//     #ifdef __clang__
//     #  define ASSUME(x) __builtin_assume(x)
//     #elif __GNUC__ >= 13 ...
//
// Where gcc compiles the program, one such line would make Clang analyse another program, and all
// of it would stay as it is (Alignment.h). So user text is read under gcc's name. System headers
// are read under Clang's own, because what they choose for gcc may be nothing that Clang can parse.
//
// First by what is known without asking: the version in the names of gcc's own headers, and a table
// of builtins. A unit that is read otherwise still is read again with gcc's own answers.
//
// Nothing rests on this being perfect: the alignment still decides whether both saw the same.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_GCCIDENTITY_H
#define MPISPEC_REWRITE_GCCIDENTITY_H

#include "Rewrite/GccQuestions.h"
#include <optional>

namespace clang {
class Preprocessor;
}

namespace mpispec {

struct GccVersion {
  unsigned Major = 0, Minor = 0, Patch = 0;
};

/// The version of the gcc that preprocessed \p Text, by the directory of its own headers
/// (`.../gcc/<target>/12/include/stddef.h`); none if it used none of them. Some installations name
/// the major version only.
std::optional<GccVersion> gccVersionOf(llvm::StringRef Text);

/// Makes user text that \p PP reads see \p Version; to be called before the main file is entered.
void readUserTextAsGcc(clang::Preprocessor &PP, GccVersion Version);

/// The same with all that gcc says of itself; \p Questions must outlive the parse. False: gcc does
/// not answer, and nothing was done.
bool readUserTextAsGcc(clang::Preprocessor &PP, GccQuestions &Questions);

} // namespace mpispec
#endif
