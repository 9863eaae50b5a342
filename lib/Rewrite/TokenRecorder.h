//===- TokenRecorder.h - The token stream that Clang parsed -----------------------------------===//
//
// Clang analyses the program, but the user's compiler builds it, and each preprocesses for itself.
// To carry a place found in Clang's parse over to the other compiler's text, and to know that both
// saw the same program, the parse's expanded tokens are recorded here. Alignment.h matches them
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

/// The compiler whose preprocessed text the tokens are to be matched with.
enum class TextDialect : uint8_t { Gcc, Clang };

/// One token after macro expansion, as the parser got it.
struct RecordedToken {
  /// Where the characters of a token come from. It decides how strictly the two compilers must
  /// agree: user text is the program, a system macro's body is the implementation's own business.
  enum Origin : uint8_t {
    User,             ///< spelled in a user file or on the command line
    Predefined,       ///< body of a compiler's own macro (__GNUC__), used by user text
    Computed,         ///< stringized, pasted or __LINE__-like, by user text
    System,           ///< spelled in a system header
    PredefinedSystem, ///< body of a compiler's own macro, used by a system header's macro
    ComputedSystem,   ///< stringized, pasted or __LINE__-like, by a system header's macro
  };

  clang::SourceLocation Location; ///< raw, as the AST has it
  llvm::StringRef Spelling;
  /// The outermost system macro whose expansion made this token, if one did.
  llvm::StringRef SystemMacro;
  Origin From = User;
  bool IsString = false;
  bool IsNumber = false;
  bool IsIdentifier = false; ///< or keyword
  bool InSystemFile = false; ///< the outermost expansion stands in a system header's text
  /// SystemMacro is defined by a header of the compiler itself, which the other compiler replaces.
  bool CompilersOwnMacro = false;
  /// The outermost expansion that the token is in, as an argument or of the body, of a macro that a
  /// compiler's own header defines, or one that asks for the compiler; 0: none. Tokens of one
  /// expansion stand together.
  unsigned OwnExpansion = 0;

  bool isSystem() const { return From >= System; }
};

/// The recorded tokens in order. Direct text of system headers is left out.
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

/// Makes \p PP record what it hands to the parser into \p Stream, which must outlive the parse; to
/// be called before the main file is entered. For gcc, `__LINE__` counts as it does there
/// (LineMacro.h).
///
/// \p MainFileEnd: bytes of the main file that are the user's; what follows was appended by the
/// analysis and is not recorded.
///
/// The direct text of `mpi.h`, and of all that it includes, counts as a system header's. Its
/// macros, used in user text, count as gcc's line markers have it: as user text unless the header
/// was found in a system directory.
void recordTokens(clang::Preprocessor &PP, TokenStream &Stream, TextDialect Dialect,
                  std::optional<unsigned> MainFileEnd = std::nullopt);

} // namespace mpispec
#endif
