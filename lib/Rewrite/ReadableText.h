//===- ReadableText.h - The user's compiler's text as far as Clang can read it ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit that Clang reads differently than gcc, or not at all, may still be read as gcc's own
// preprocessed text. That text already contains gcc's choices in headers and macros (CMPLX,
// <tgmath.h>, `__has_include` of a header that only Clang has). The remaining obstacles are words
// that only gcc accepts. Some are types that Clang has under another name (_Float128). For other
// words, the body or the declaration that contains them is removed, and the calls in it are not
// rewritten:
//
//     static v4 turn(v4 a) { return __builtin_shuffle(a, m); }     static v4 turn(v4 a) ;
//
// All other text keeps its offset. Therefore a place in Clang's parse is the same place in the
// text. The text does not show the effects of removed functions. Therefore facts about a call of
// such a unit may come only from the text of the call.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_READABLETEXT_H
#define MPISPEC_REWRITE_READABLETEXT_H

#include "Frontend/CallSite.h"
#include "Rewrite/PreprocessedText.h"

namespace clang {
class Preprocessor;
}

namespace mpispec {

class ReadableText {
public:
  ReadableText(llvm::StringRef Input, const clang::LangOptions &Language);

  llvm::StringRef text() const { return Text; }
  /// Does the text contain all of the program's own text?
  bool isWhole() const { return Whole; }

  /// Removes the declarations or bodies that contain \p Offsets (bytes), where Clang had errors.
  /// Returns false if one of them is in no declaration, or if there are no offsets.
  bool takeOut(llvm::ArrayRef<unsigned> Offsets);

  /// The calls of communicating functions in the removed text. Each has a CallSite::Obstacle. The
  /// first one gets the number \p First.
  std::vector<CallSite> callsTakenOut(unsigned First) const;

private:
  friend class DeclarationFinder;
  /// The body of a function, or a whole declaration, from its first to its last token.
  struct Declaration {
    unsigned Begin, End;
    bool IsBody;
    /// A plain function of a system header. The program stays whole without it. (A template of a
    /// system header does not count, because it may call the user's functions.)
    bool Foreign = false;
    bool Out = false;
  };
  Declaration *holderOf(unsigned Offset);
  bool takeOutPragma(unsigned Offset);
  void takeOut(Declaration &D);

  PreprocessedText Original;
  std::string Text;
  std::vector<Declaration> Declarations;
  bool Whole = true;
};

/// Makes \p PP accept gcc's names of floating-point types. Called before the text is entered.
void knowFloatTypesOfGcc(clang::Preprocessor &PP);

} // namespace mpispec
#endif
