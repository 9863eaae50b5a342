//===- Alignment.h - Does Clang's parse match the user's compiler's text? ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches the tokens that Clang parsed with the tokens of the text that the user's compiler
// preprocessed. The match has two results. The first maps places of the parse to places in the
// text. The second is the proof that both compilers read the same program. The programs can differ
// because of `#ifdef __clang__`, for example, or because of another version of a header. Facts that
// are proven about the parse may be used for the text only with this proof.
//
// Tokens that must agree, and tokens that need not:
//
//   user text            token by token, macros of the user expanded
//   system headers       their own text is not compared: each compiler has its own or reads it in
//                        its own way, and both implement the same interface
//   system macros        used in user text (NULL, assert, INT_MAX): equal, except macros known to
//                        differ between compilers (isnan, va_arg, the macros of float.h); for some
//                        of these, the arguments may differ, too (_mm256_blend_pd)
//   computed tokens      strings (__DATE__, __FILE__) may differ; numbers must have equal value
//
// The line markers of gcc state which tokens belong to a system header, also within a line. Those
// of `clang -E` state it only for whole lines. In this case both readings come from Clang, and all
// tokens of user files are compared.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_ALIGNMENT_H
#define MPISPEC_REWRITE_ALIGNMENT_H

#include "Rewrite/PreprocessedText.h"
#include "Rewrite/TokenRecorder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

namespace mpispec {

/// Two token streams that match.
class Alignment {
public:
  /// The text token that matches the recorded token at \p Location. None for a token of a system
  /// header's macro, or outside user text.
  std::optional<unsigned> tokenAt(clang::SourceLocation Location) const;
  /// The text token that matches the first matched recorded token at or after \p Location.
  std::optional<unsigned> tokenFrom(clang::SourceLocation Location) const;

private:
  friend llvm::Expected<Alignment> align(const TokenStream &, const PreprocessedText &,
                                         TextDialect);
  friend Alignment alignWithItself(const PreprocessedText &, clang::SourceLocation);
  static constexpr unsigned Unmatched = ~0u;
  std::vector<unsigned> TextTokens;                        ///< by number of the recorded token
  llvm::DenseMap<clang::SourceLocation, unsigned> Numbers; ///< the recorded tokens' numbers
};

/// Matches \p Recorded with \p Text, or names the place where they first differ: "preprocessed
/// differently at foo.h:33: 'x' here, 'y' under clang".
llvm::Expected<Alignment> align(const TokenStream &Recorded, const PreprocessedText &Text,
                                TextDialect Dialect);

/// The alignment for a parse of \p Text itself, as a file that begins at \p Start.
Alignment alignWithItself(const PreprocessedText &Text, clang::SourceLocation Start);

} // namespace mpispec
#endif
