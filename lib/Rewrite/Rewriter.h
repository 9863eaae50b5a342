//===- Rewriter.h - Edits that specialise the calls of a unit ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes new text from call sites, their facts and their choices. There are two forms: preprocessed
// text for the user's compiler, and source text for a person. Both forms rename the callee of a
// site. They define a function with the new name in front of the outermost declaration that
// contains the call. All other text stays the same byte for byte (Integrity.h checks it).
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REWRITE_REWRITER_H
#define MPISPEC_REWRITE_REWRITER_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Frontend/HandleProbe.h"
#include "Rewrite/Alignment.h"
#include "Selection/Choice.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/Error.h"

namespace mpispec {

/// A unit's sites with the results of later stages. The first three arrays are parallel. A site
/// whose choice does not rewrite it stays as it is.
struct SpecialisedSites {
  llvm::ArrayRef<CallSite> Sites;
  llvm::ArrayRef<SiteFacts> Facts;
  llvm::ArrayRef<Choice> Choices;
  llvm::ArrayRef<ElementSize> Elements = {}; ///< from the unit's MPI header (Handles::elements)
  HandleStyle Style = HandleStyle::MPICH;    ///< from the unit's MPI header
  bool KeepsNames = true; ///< the program does not give handles' names another meaning

  bool isRewritten(size_t I) const { return Choices[I].isRewritten(); }
};

struct RewriteContext {
  TextDialect Dialect = TextDialect::Gcc; ///< the compiler that preprocessed the text
  clang::LangOptions Language;            ///< with which Clang parsed the unit
  bool CheckFacts = false;                ///< the sites test their facts (FactChecks.h)
  bool ForX86 = true;                     ///< the unit's processor (templates/mpispec/machine.h)
  /// The begin of the text, if Clang parsed that text itself; else invalid.
  clang::SourceLocation OwnText = {};
};

/// The first line of each inserted region of preprocessed text. It makes the region text of a
/// system header, for which compilers do not warn. The line marker back to the user's file follows
/// RegionEnd.
inline constexpr llvm::StringLiteral RegionMarker = "# 1 \"<mpispec>\" 3\n";
inline constexpr llvm::StringLiteral RegionEnd = "# 2 \"<mpispec>\" 3\n";

/// Text behind an insertion keeps its column up to this one, the last that gcc counts. A macro may
/// make a line of a megabyte, with many calls.
inline constexpr unsigned LastColumn = 4096;

/// Rewrites \p Text, the user's compiler's preprocessed output of the unit whose recorded tokens
/// are \p Clang. Fails if the two do not match. If Context.OwnText is valid, \p Clang is not used.
llvm::Expected<std::string> rewritePreprocessed(llvm::StringRef Text, const TokenStream &Clang,
                                                const SpecialisedSites &Unit,
                                                const RewriteContext &Context);

/// Rewrites the text of the main file itself. Macros stay as they are written. Only the first \p
/// MainFileEnd bytes are the user's. The result includes the template headers as "mpispec/send.h".
/// A site in a macro's body or in another file is not rewritten. It gets a line in \p Untouched,
/// such as "foo.c:12:5: MPI_Send: in the body of macro SEND".
llvm::Expected<std::string> rewriteSource(const clang::SourceManager &Sources,
                                          const clang::LangOptions &Language, unsigned MainFileEnd,
                                          const SpecialisedSites &Unit,
                                          std::vector<std::string> &Untouched);

} // namespace mpispec
#endif
