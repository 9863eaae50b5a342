//===- PreprocessedText.h - The user's compiler's preprocessed output as tokens ---------------===//
//
// What `cc -E` wrote, which is the text that gets edited: its tokens with their places, and what
// its line markers say about them. The format is that of gcc's manual, "Preprocessor Output":
//
//     # 12 "foo.c" 1 3 4     line 12 of foo.c follows; 1: a file is entered, 2: returned to,
//                            3: text of a system header, 4: wrapped in extern "C"
//
// gcc also writes a marker within a line where the text of a system header's macro begins and ends:
//
//     MPI_Comm c =
//     # 6 "foo.c" 3 4
//                  ((void *)0)
//     # 6 "foo.c"
//                             ;
//
// When it compiles such text, it takes all of the middle for a system header's, and is silent where
// it has a warning for the source as it is. So these flags are known apart (systemMacroFlags): text
// without them is warned of wherever the source is. A file that makes itself a system header
// (`#pragma GCC system_header`) keeps its flags.
// Pragmas stay lines; they are no tokens.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_PREPROCESSEDTEXT_H
#define MPISPEC_REWRITE_PREPROCESSEDTEXT_H

#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace mpispec {

/// May a pragma whose first word is \p Word apply to the declaration that follows it (`omp declare
/// simd`, `acc routine`)? Others change the state of the compiler, or nothing.
inline bool mayBindToDeclaration(llvm::StringRef Word) { return Word == "omp" || Word == "acc"; }

/// A token of preprocessed text. All numbers are bytes but Line.
struct TextToken {
  uint32_t Offset = 0, Length = 0;
  uint32_t Line = 0;       ///< presumed line
  uint32_t File : 28;      ///< index for PreprocessedText::file
  uint32_t System : 1;     ///< a line marker calls it text of a system header
  uint32_t SystemFile : 1; ///< the file it is in was entered as a system header
  uint32_t Mpi : 1;        ///< it is in mpi.h or a file that mpi.h includes
  uint32_t Dirty : 1;      ///< its spelling needs cleaning (trigraph, line splice)
};

/// The presumed place of an offset, enough to write a line marker that returns to it.
struct TextPlace {
  llvm::StringRef QuotedFile; ///< as in the line marker, quotes and escapes kept
  unsigned Line = 0;
  llvm::StringRef Flags; ///< " 3", " 3 4" or empty
};

class PreprocessedText {
public:
  /// \p Text may lack line markers; its tokens are then the user's. It ends with a null character,
  /// which does not count, and is not copied.
  /// \p KeepsSystemText: tokens of system headers and of MPI's are tokens, too; else few of them
  /// are.
  PreprocessedText(llvm::StringRef Text, const clang::LangOptions &Language,
                   bool KeepsSystemText = false);

  llvm::StringRef text() const { return Text; }
  llvm::ArrayRef<TextToken> tokens() const { return Tokens; }
  llvm::StringRef raw(const TextToken &Token) const {
    return Text.substr(Token.Offset, Token.Length);
  }
  /// The characters of \p Token after trigraphs and line splices.
  std::string spelling(const TextToken &Token) const;
  /// Does \p Token read \p Spelling?
  bool reads(const TextToken &Token, llvm::StringRef Spelling) const;

  /// The file's presumed name, escapes resolved.
  llvm::StringRef file(unsigned Index) const { return Files[Index]; }
  /// Without the flags of a system macro in a user's file.
  TextPlace placeAt(uint32_t Offset) const;
  /// The flags within text() that stand for a system macro in a user's file, in order: " 3 4".
  std::vector<llvm::StringRef> systemMacroFlags() const;
  /// 1-based byte column of \p Offset in its line of the text.
  unsigned columnOf(uint32_t Offset) const;

  /// Where a declaration may be inserted so that it precedes the outermost declaration that holds
  /// token number \p Token, whose beginning it is asked for: behind the `;`, `{` or `}` before it,
  /// so that attributes, `template <...>` and pragmas that apply to it stay with it.
  uint32_t declarationStart(unsigned Token) const;
  /// The same for the first declaration of the text.
  uint32_t textStart() const { return skipNeutralLines(0, firstTokenOffset()); }

private:
  friend class TextLexer;
  struct Marker {
    uint32_t End; ///< where the line begins that the marker speaks of
    unsigned Line;
    llvm::StringRef QuotedFile, Flags;
    bool OfMacro = false; ///< Flags are a system macro's, in a file of the user
  };
  uint32_t skipNeutralLines(uint32_t From, uint32_t Limit) const;
  uint32_t firstTokenOffset() const {
    return Tokens.empty() ? static_cast<uint32_t>(Text.size()) : Tokens.front().Offset;
  }
  unsigned lineIndex(uint32_t Offset) const;

  llvm::StringRef Text;
  clang::LangOptions Language;
  bool KeepsSystemText;
  std::vector<TextToken> Tokens;
  std::vector<std::string> Files;
  std::vector<Marker> Markers;
  std::vector<uint32_t> LineStarts;
};

/// The files that the line markers of \p Text enter, in order; the main file is the first. One that
/// is entered again stands there again.
std::vector<std::string> enteredFiles(llvm::StringRef Text);

} // namespace mpispec
#endif
