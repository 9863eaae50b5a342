//===- Rewriter.h - Edits that specialise the calls of a unit ---------------------------------===//
//
// From call sites, what is proven about them and the templates chosen for them to new text, in two
// forms: preprocessed text for the user's compiler, source text for a person. Both forms rename the
// callee of a site and define the function of that name before the outermost declaration that holds
// it; all else stays byte for byte (Integrity.h checks that).
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

/// A unit's sites with what later stages said about them. All three are parallel; a site whose
/// choice names no template stays as it is.
struct SpecialisedSites {
  llvm::ArrayRef<CallSite> Sites;
  llvm::ArrayRef<SiteFacts> Facts;
  llvm::ArrayRef<Choice> Choices;
  llvm::ArrayRef<ElementSize> Elements = {}; ///< of the unit's MPI header (Handles::elements)
  HandleStyle Style = HandleStyle::MPICH;    ///< likewise

  bool isRewritten(size_t I) const { return Choices[I].isRewritten(); }
};

struct RewriteContext {
  TextDialect Dialect = TextDialect::Gcc; ///< who preprocessed the text
  clang::LangOptions Language;            ///< that Clang parsed the unit with
  bool CheckFacts = false;                ///< the sites test their facts (FactChecks.h)
  bool ForX86 = true;                     ///< the unit's processor (templates/mpispec/machine.h)
  /// Where the text begins, if it is what Clang parsed.
  clang::SourceLocation OwnText = {};
};

/// Every inserted region of preprocessed text begins with this line: as text of a system header,
/// for which no compiler warns. Behind RegionEnd follows the line marker back to the user's file.
inline constexpr llvm::StringLiteral RegionMarker = "# 1 \"<mpispec>\" 3\n";
inline constexpr llvm::StringLiteral RegionEnd = "# 2 \"<mpispec>\" 3\n";

/// Rewrites \p Text, the user's compiler's preprocessed output of the unit that was parsed as
/// \p Clang. Fails if the two do not match. Where Context.OwnText is set, \p Clang is not read.
llvm::Expected<std::string> rewritePreprocessed(llvm::StringRef Text, const TokenStream &Clang,
                                                const SpecialisedSites &Unit,
                                                const RewriteContext &Context);

/// Rewrites the main file's own text, macros left as written. The first \p MainFileEnd bytes of it
/// are the user's. The result includes the template headers as "mpispec/send.h".
/// A site that stands in a macro's body or in another file is left alone and gets a line in
/// \p Untouched: "foo.c:12:5: MPI_Send: in the body of macro SEND".
llvm::Expected<std::string> rewriteSource(const clang::SourceManager &Sources,
                                          const clang::LangOptions &Language, unsigned MainFileEnd,
                                          const SpecialisedSites &Unit,
                                          std::vector<std::string> &Untouched);

} // namespace mpispec
#endif
