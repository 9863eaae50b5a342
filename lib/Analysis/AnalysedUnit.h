//===- AnalysedUnit.h - One translation unit through the stages -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages that the commands of mpispec-analyze run, except `summarise`. Each stage adds its
// result to the unit.
//
//     parse ─► proveFacts ─► predict ─► predictFromRun ─► selectTemplates
//     Sites     Facts, Watched   Facts       Facts            Choices
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_ANALYSIS_ANALYSEDUNIT_H
#define MPISPEC_ANALYSIS_ANALYSEDUNIT_H

#include "Facts/Facts.h"
#include "Frontend/Parse.h"
#include "Predictions/Flows.h"
#include "Rewrite/Rewriter.h"
#include "Selection/Choice.h"

namespace mpispec {

/// The parts of a command line that concern the stages.
struct AnalysisOptions {
  std::vector<std::string> Arguments; ///< words for the clang driver, the source among them
  std::string ProfileIndex;           ///< file with the profile of a run; empty: no profile
  bool InlineAll = false;             ///< see selectTemplates()
};

/// A proven mistake, and the call that contains it.
using PlacedWarning = std::pair<const CallSite *, const ArgumentWarning *>;

/// One translation unit with the results of all stages. Facts and Choices are parallel to
/// Parsed->Sites, Watched is parallel to Parsed->Watched.
struct AnalysedUnit {
  std::unique_ptr<ParsedUnit> Parsed;
  std::vector<SiteFacts> Facts;
  std::vector<std::vector<ArgumentWarning>> Watched;
  std::vector<Choice> Choices;
  std::vector<std::string> ProfileWarnings; ///< why the profile is not used, or not for all calls
  Flows OfUnit;                             ///< the unit's summary, for other units

  SpecialisedSites sites() const;
  unsigned rewritten() const; ///< the number of calls that are rewritten
  unsigned ofForm(CallForm F) const;
  /// Proven mistakes in the order of the text. Those of one call keep the order that they have in
  /// Facts or Watched.
  std::vector<PlacedWarning> warnings() const;
};

/// Runs all stages on the source that \p Options names. \p Leniences are arguments for the clang
/// driver, in front of those of \p Options. parse() explains \p Hook and \p Own.
llvm::Expected<AnalysedUnit> analyse(const AnalysisOptions &Options, PreprocessorHook Hook,
                                     llvm::ArrayRef<std::string> Leniences = {},
                                     OwnText *Own = nullptr);

/// Like analyse(), for commands that need no tokens of the source. Templates of the C++ library are
/// parsed with delay. If that fails, the source is parsed a second time without a delay.
llvm::Expected<AnalysedUnit> analyseSource(const AnalysisOptions &Options);

} // namespace mpispec
#endif
