//===- UnitRewriter.h - One translation unit, from preprocessed text to rewritten text --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Problem: facts come from Clang's reading of a source, but the text that is rewritten and compiled
// is the output of the user's preprocessor. The two may differ. gcc defines other macros, accepts
// code that Clang rejects, and gives other results for `__has_builtin` and similar tests. A unit
// can be rewritten only if the tokens of both readings are the same (Alignment.h).
//
// Ways to read a unit, cheapest first. A way is tried if the ways before it failed for a reason
// that it can remove:
//
//     trimmed      the source, without prototypes and library templates that the text never uses
//     whole        the source with nothing left out; after a parse error that names MPI or the C++
//                  library, because the trimmed reading left out declarations of both
//     gcc's        the source, with feature tests that gcc evaluates (GccAnswers.h); after a parse
//                  error or a difference between the readings
//     own text     the preprocessed text in place of the source. Code that Clang cannot read is
//                  removed from it, in several rounds
//
// If every way fails, the unit is not rewritten, for the reason that trimmed or whole gave.
//
// Dataflow of one way. A failure at any step is a Fallback:
//
//     source or own text ─► analyse ─► AnalysedUnit, tokens ─┐
//     preprocessed text ─────────────────────────────────────┴► rewritePreprocessed
//                                                                 ─► checkIntegrity
//                                                                 ─► RewriteResult
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_ANALYSIS_UNITREWRITER_H
#define MPISPEC_ANALYSIS_UNITREWRITER_H

#include "Analysis/AnalysedUnit.h"
#include "Rewrite/Alignment.h"

namespace mpispec {

struct UnitRewriteOptions {
  AnalysisOptions Analysis;
  TextDialect UserCompiler = TextDialect::Gcc; ///< the compiler that preprocessed the text
  std::vector<std::string> Gcc;  ///< gcc's preprocessing command; empty: gcc's way is not tried
  bool CheckFacts = false;       ///< each call counts how often its facts hold
  bool CheckIndentation = false; ///< the user's compiler diagnoses misleading indentation
};

struct RewriteResult {
  AnalysedUnit Unit;
  std::string NewText; ///< empty: there is nothing to rewrite
  /// May the user's compiler have a diagnostic for the source that it does not have for the text?
  bool MayHaveDiagnostics = false;
};

/// Rewrites \p Text, the output of the user's preprocessor for the source that \p Options names.
/// Fails with a Fallback.
llvm::Expected<RewriteResult> rewriteUnit(llvm::StringRef Text, const UnitRewriteOptions &Options);

} // namespace mpispec
#endif
