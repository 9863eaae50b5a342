//===- TokenRecorder.h - The token stream that Clang parsed -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang analyses the program, but the user's compiler builds it, and each preprocesses it. The
// recorded tokens of the parse have two uses. They map places of Clang's parse to places in the
// other compiler's text, and they prove that both read the same program. Alignment.h matches them
// with the tokens of PreprocessedText.h.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_TOKENRECORDER_H
#define MPISPEC_REWRITE_TOKENRECORDER_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/StringSaver.h"
#include <memory>
#include <optional>
#include <vector>

namespace clang {
class Preprocessor;
class SourceManager;
} // namespace clang

namespace mpispec {

/// The compiler whose preprocessed text is matched with the tokens.
enum class TextDialect : uint8_t { Gcc, Clang };

/// One token after macro expansion, as the parser got it.
struct RecordedToken {
  /// The source of a token's characters. It determines how strictly the two compilers must agree:
  /// user text is the program, but each implementation has its own bodies of system macros.
  enum Origin : uint8_t {
    User,             ///< spelled in a user file or on the command line
    Predefined,       ///< body of a compiler's own macro (__GNUC__), used by user text
    Computed,         ///< stringized, pasted or __LINE__-like, by user text
    System,           ///< spelled in a system header
    PredefinedSystem, ///< body of a compiler's own macro, used by a system header's macro
    ComputedSystem,   ///< stringized, pasted or __LINE__-like, by a system header's macro
  };

  clang::SourceLocation Location; ///< raw, as in the AST
  llvm::StringRef Spelling;
  /// The outermost system macro whose expansion made this token, if there is one.
  llvm::StringRef SystemMacro;
  Origin From = User;
  bool IsString = false;
  bool IsNumber = false;
  bool IsIdentifier = false; ///< or keyword
  bool InSystemFile = false; ///< the outermost expansion is in a system header's text
  /// SystemMacro is defined by a header of the compiler itself. The other compiler has its own.
  bool CompilersOwnMacro = false;
  /// The number of the outermost expansion that contains the token, in an argument or in the body.
  /// Only macros of a compiler's own headers, math.h, complex.h and tgmath.h count. 0: none.
  /// Tokens of one expansion are consecutive.
  unsigned OwnExpansion = 0;

  bool isSystem() const { return From >= System; }
};

/// The recorded tokens in order. Text of system headers outside macros is not recorded.
class TokenStream {
public:
  llvm::ArrayRef<RecordedToken> tokens() const { return Tokens; }
  void append(RecordedToken Token) { Tokens.push_back(Token); }
  llvm::StringRef save(llvm::StringRef Text) { return Strings.save(Text); }

private:
  std::vector<RecordedToken> Tokens;
  llvm::BumpPtrAllocator Allocator;
  llvm::UniqueStringSaver Strings{Allocator};
};

/// Makes \p PP record the tokens that it passes to the parser in \p Stream, which must outlive the
/// parse. Called before the main file is entered. For gcc, `__LINE__` counts as gcc does
/// (LineMacro.h).
///
/// \p MainFileEnd: bytes of the main file that are the user's. The analysis has appended the text
/// behind them, which is not recorded.
///
/// The text of `mpi.h` outside macros counts as text of a system header. The same holds for all
/// headers that it includes. Macros of these headers in user text count as in gcc's line markers:
/// as user text, unless the header was found in a system directory.
void recordTokens(clang::Preprocessor &PP, TokenStream &Stream, TextDialect Dialect,
                  std::optional<unsigned> MainFileEnd = std::nullopt);

} // namespace mpispec
#endif
