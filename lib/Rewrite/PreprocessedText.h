//===- PreprocessedText.h - The user's compiler's preprocessed output as tokens ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output of `cc -E` is the text that is edited. A PreprocessedText has its tokens, their
// places, and the data of its line markers. The format is that of gcc's manual, "Preprocessor
// Output":
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
// When gcc compiles this text, it treats the part in the middle as a system header's, and omits
// warnings that it gives for the source. Therefore the flags of these markers are available
// separately (systemMacroFlags). Without these flags, the text gets the same warnings as the
// source. A file can also make itself a system header (`#pragma GCC system_header`). The flags in
// such a file are not those of a macro, and systemMacroFlags does not return them.
//
// Pragmas stay whole lines, which are not split into tokens.
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
/// simd`, `acc routine`)? All other pragmas change the state of the compiler, or nothing.
inline bool mayBindToDeclaration(llvm::StringRef Word) { return Word == "omp" || Word == "acc"; }

/// A token of preprocessed text. Offset and Length are in bytes.
struct TextToken {
  uint32_t Offset = 0, Length = 0;
  uint32_t Line = 0;       ///< presumed line
  uint32_t File : 28;      ///< index for PreprocessedText::file
  uint32_t System : 1;     ///< a line marker flags it as text of a system header
  uint32_t SystemFile : 1; ///< its file was entered as a system header
  uint32_t Mpi : 1;        ///< it is in mpi.h or a file that mpi.h includes
  uint32_t Dirty : 1;      ///< it contains a trigraph, line splice or universal character name
};

/// The presumed place of an offset, in the form of a line marker that returns to it.
struct TextPlace {
  llvm::StringRef QuotedFile; ///< the name in the line marker, with its quotes and escapes
  unsigned Line = 0;
  llvm::StringRef Flags; ///< " 3", " 3 4" or empty
};

class PreprocessedText {
public:
  /// \p Text may lack line markers; then all tokens are the user's. A null character must follow
  /// it. The text is not copied. \p KeepsSystemText: all tokens of system headers and of MPI's
  /// headers are kept. Without it, most are left out.
  PreprocessedText(llvm::StringRef Text, const clang::LangOptions &Language,
                   bool KeepsSystemText = false);

  llvm::StringRef text() const { return Text; }
  llvm::ArrayRef<TextToken> tokens() const { return Tokens; }
  llvm::StringRef raw(const TextToken &Token) const {
    return Text.substr(Token.Offset, Token.Length);
  }
  /// The characters of \p Token, with trigraphs, line splices and universal character names
  /// replaced.
  std::string spelling(const TextToken &Token) const;
  /// Is \p Spelling the spelling of \p Token?
  bool reads(const TextToken &Token, llvm::StringRef Spelling) const;

  /// The presumed name of the file, with escapes resolved.
  llvm::StringRef file(unsigned Index) const { return Files[Index]; }
  /// The place of \p Offset, without the flags of a system macro in a user's file.
  TextPlace placeAt(uint32_t Offset) const;
  /// The flags within text() that mark a system macro in a user's file, in order: " 3 4".
  std::vector<llvm::StringRef> systemMacroFlags() const;
  /// The column of \p Offset in its line of the text, in bytes from 1.
  unsigned columnOf(uint32_t Offset) const;

  /// The offset for an insertion in front of the declaration to whose head the token of number
  /// \p Token belongs. It is behind the `;`, `{` or `}` that precedes the declaration. Therefore
  /// attributes, `template <...>` and pragmas stay with the declaration to which they apply.
  uint32_t declarationStart(unsigned Token) const;
  /// The same offset for the first declaration of the text.
  uint32_t textStart() const { return skipNeutralLines(0, firstTokenOffset()); }

private:
  friend class TextLexer;
  struct Marker {
    uint32_t End; ///< begin of the line to which the marker applies
    unsigned Line;
    llvm::StringRef QuotedFile, Flags;
    bool OfMacro = false; ///< Flags mark a system macro in a file of the user
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

/// The files that the line markers of \p Text enter, in order. The main file is the first. A file
/// that is entered several times has several entries.
std::vector<std::string> enteredFiles(llvm::StringRef Text);

} // namespace mpispec
#endif
