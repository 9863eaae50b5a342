//===- Alignment.h - Does Clang's parse match the user's compiler's text? ---------------------===//
//
// Matches Clang's recorded tokens with the tokens of the text that the user's compiler
// preprocessed. Two things come out: where in the text a place of the parse is, and the proof that
// both compilers see the same program (`#ifdef __clang__`, another version of a header found, ...).
// Without it nothing that was proven about the one may be used for the other.
//
// What must agree, and what need not:
//   user text            token by token, macros of the user expanded
//   system headers       their own text is not compared: each compiler has its own or reads it in
//                        its own way, and both implement the same interface
//   system macros        used in user text (NULL, assert, INT_MAX): equal, or else macros known to
//                        differ from compiler to compiler (isnan, va_arg, what float.h defines);
//                        of those, with their arguments, the whole may differ (_mm256_blend_pd)
//   made-up tokens       strings (__DATE__, __FILE__) may differ; numbers must have equal value
//
// gcc says in its line markers which tokens are a system header's, also within a line. Clang's -E
// does not, but the analysis is Clang itself, so that everything in a user file is compared.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_ALIGNMENT_H
#define MPISPEC_REWRITE_ALIGNMENT_H

#include "Rewrite/PreprocessedText.h"
#include "Rewrite/TokenRecorder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

namespace mpispec {

/// Two streams that match.
class Alignment {
public:
  /// The text token that the recorded token at \p Location is, or none: a token of a system
  /// header's macro, or of no user text at all.
  std::optional<unsigned> tokenAt(clang::SourceLocation Location) const;
  /// The same for the first recorded token at or after \p Location that has one.
  std::optional<unsigned> tokenFrom(clang::SourceLocation Location) const;

private:
  friend llvm::Expected<Alignment> align(const TokenStream &, const PreprocessedText &,
                                         TextDialect);
  friend Alignment alignWithItself(const PreprocessedText &, clang::SourceLocation);
  static constexpr unsigned Unmatched = ~0u;
  std::vector<unsigned> TextTokens;                        ///< by number of the recorded token
  llvm::DenseMap<clang::SourceLocation, unsigned> Numbers; ///< of recorded tokens
};

/// Matches \p Recorded with \p Text, or says at which place they first differ: "preprocessed
/// differently at foo.h:33: 'x' here, 'y' under clang".
llvm::Expected<Alignment> align(const TokenStream &Recorded, const PreprocessedText &Text,
                                TextDialect Dialect);

/// The same where \p Text itself was parsed, as a file that begins at \p Start.
Alignment alignWithItself(const PreprocessedText &Text, clang::SourceLocation Start);

} // namespace mpispec
#endif
