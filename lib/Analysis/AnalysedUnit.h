//===- AnalysedUnit.h - One translation unit through the stages -------------------------------===//
//
// The flow that all commands of mpispec-analyze share. Each stage adds its result to the unit.
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

/// The parts of a command line that the stages obey.
struct AnalysisOptions {
  std::vector<std::string> Arguments; ///< words for the clang driver, the source among them
  std::string ProfileIndex;           ///< file with the profile of a run; empty: no profile
  bool InlineAll = false;             ///< see selectTemplates()
};

/// A proven mistake and the call that has it.
using PlacedWarning = std::pair<const CallSite *, const ArgumentWarning *>;

/// One translation unit with the results of all stages. Facts and Choices are parallel to
/// Parsed->Sites, Watched is parallel to Parsed->Watched.
struct AnalysedUnit {
  std::unique_ptr<ParsedUnit> Parsed;
  std::vector<SiteFacts> Facts;
  std::vector<std::vector<ArgumentWarning>> Watched;
  std::vector<Choice> Choices;
  std::vector<std::string> ProfileWarnings; ///< why the profile is not used, or not for all calls
  Flows OfUnit;                             ///< the summary of the unit for other units

  SpecialisedSites sites() const;
  unsigned rewritten() const; ///< the number of calls that are rewritten
  unsigned ofForm(CallForm F) const;
  /// Proven mistakes in the order of the text; mistakes of one call in the order of its array.
  std::vector<PlacedWarning> warnings() const;
};

/// Takes the source that \p Options names through all stages. \p Leniences are words for the clang
/// driver that stand before those of \p Options; for \p Hook and \p Own see parse().
llvm::Expected<AnalysedUnit> analyse(const AnalysisOptions &Options, PreprocessorHook Hook,
                                     llvm::ArrayRef<std::string> Leniences = {},
                                     OwnText *Own = nullptr);

/// The same for commands that need no tokens of the source. If the source cannot be parsed with
/// templates of the C++ library delayed, it is parsed a second time without a delay.
llvm::Expected<AnalysedUnit> analyseSource(const AnalysisOptions &Options);

} // namespace mpispec
#endif
