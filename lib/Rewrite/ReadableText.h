//===- ReadableText.h - The user's compiler's text as far as Clang can read it ----------------===//
//
// A unit that Clang reads otherwise than gcc, or not at all, has one more chance: gcc's own
// preprocessed text. What a header or a macro was to gcc is settled there (CMPLX, <tgmath.h>,
// `__has_include` of a header that only Clang has). What is left are words that only gcc knows:
// some stand for types that Clang has under another name (_Float128), and a function that uses any
// other is taken out, body or declaration, and stays as it is:
//
//     static v4 turn(v4 a) { return __builtin_shuffle(a, m); }     static v4 turn(v4 a) ;
//
// All else keeps its offset, so a place in Clang's parse is that place in the text. A unit that is
// not whole says nothing of what its functions do: of its calls no more may be concluded than what
// is written there.
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
  /// Is all of the program's own text there?
  bool isWhole() const { return Whole; }

  /// Takes out what holds the places \p Offsets (bytes), where Clang had errors. False: for one of
  /// them that is not possible, or there is none.
  bool takeOut(llvm::ArrayRef<unsigned> Offsets);

  /// The calls of communicating functions in what was taken out, with an obstacle; the first gets
  /// the number \p First.
  std::vector<CallSite> callsTakenOut(unsigned First) const;

private:
  friend class DeclarationFinder;
  /// A function's body, or a whole declaration; first and last token.
  struct Declaration {
    unsigned Begin, End;
    bool IsBody;
    /// Clang learns nothing of the program from it: a plain function of a system header. (A
    /// template of one may run the user's functions.)
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

/// Has \p PP know gcc's names of floating-point types; to be called before the text is entered.
void knowFloatTypesOfGcc(clang::Preprocessor &PP);

} // namespace mpispec
#endif
