//===- AnalysedUnit.cpp - One translation unit through the stages -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/AnalysedUnit.h"
#include "Facts/Prove.h"
#include "Predictions/FlowCollector.h"
#include "Predictions/Predict.h"
#include "Predictions/RunPredictions.h"
#include "Predictions/SummaryCache.h"
#include "Profile/ProfileIndex.h"
#include "Selection/Selector.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace llvm;

namespace mpispec {

SpecialisedSites AnalysedUnit::sites() const {
  return {Parsed->Sites,          Facts, Choices, Parsed->Values.elements(), Parsed->Values.style(),
          !Parsed->RedefinesNames};
}

unsigned AnalysedUnit::rewritten() const {
  return count_if(Choices, [](const Choice &C) { return C.isRewritten(); });
}

unsigned AnalysedUnit::ofForm(CallForm F) const {
  return count_if(Choices, [&](const Choice &C) { return C.Form == F; });
}

std::vector<PlacedWarning> AnalysedUnit::warnings() const {
  std::vector<PlacedWarning> Warnings;
  auto Collect = [&](const CallSite &Call, ArrayRef<ArgumentWarning> OfCall) {
    for (const ArgumentWarning &W : OfCall)
      Warnings.push_back({&Call, &W});
  };
  for (auto [Site, OfSite] : zip(Parsed->Sites, Facts))
    Collect(Site, OfSite.Warnings);
  for (auto [Call, OfCall] : zip(Parsed->Watched, Watched))
    Collect(Call, OfCall);
  sort(Warnings, [](const auto &A, const auto &B) {
    return std::tie(A.first->File, A.first->Line, A.first->Column, A.second) <
           std::tie(B.first->File, B.first->Line, B.first->Column, B.second);
  });
  return Warnings;
}

/// Adds the predictions of the profile; returns warnings about the profile.
static std::vector<std::string> useProfile(StringRef Index, const ParsedUnit &Parsed,
                                           std::vector<SiteFacts> &Facts) {
  Expected<RunProfile> Run = readProfileIndex(Index);
  if (!Run)
    return {toString(Run.takeError()) + "; remove it and it is made again"};
  return predictFromRun(Parsed.Sites, Parsed.Values, *Run, Facts);
}

Expected<AnalysedUnit> analyse(const AnalysisOptions &Options, PreprocessorHook Hook,
                               ArrayRef<std::string> Leniences, OwnText *Own) {
  AnalysedUnit Unit;
  std::vector<std::string> Arguments(Leniences);
  Arguments.insert(Arguments.end(), Options.Arguments.begin(), Options.Arguments.end());
  auto Parsed = parse(Arguments, Hook, Own);
  if (!Parsed)
    return Parsed.takeError();
  Unit.Parsed = std::move(*Parsed);
  Unit.OfUnit = collectFlows(*Unit.Parsed);
  ProvenFacts Proven = proveFacts(*Unit.Parsed);
  Unit.Facts = std::move(Proven.Sites);
  Unit.Watched = std::move(Proven.Watched);
  auto ReadOthers = [&] { return SummaryCache::ofSource(Unit.Parsed->MainFile).readOthers(); };
  predict(Unit.Parsed->Sites, Unit.Parsed->Values, Unit.OfUnit, ReadOthers, Unit.Facts);
  if (!Options.ProfileIndex.empty())
    Unit.ProfileWarnings = useProfile(Options.ProfileIndex, *Unit.Parsed, Unit.Facts);
  Unit.Choices = selectTemplates(Unit.Parsed->Sites, Unit.Facts, Options.InlineAll);
  return Unit;
}

Expected<AnalysedUnit> analyseSource(const AnalysisOptions &Options) {
  auto Nothing = [](clang::Preprocessor &, unsigned) {};
  Expected<AnalysedUnit> First = analyse(Options, Nothing);
  if (First)
    return First;
  consumeError(First.takeError());
  return analyse(Options, Nothing, {NoDelayedTemplates.str()});
}

} // namespace mpispec
