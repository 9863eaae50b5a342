//===- Versions.cpp - Templates for predicted values ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Selection/Versions.h"
#include "Facts/Predictions.h"
#include "Selection/FastPath.h"
#include "Selection/Selector.h"
#include "mpispec/contract.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mpispec {

/// A version adds about 300 bytes of x86-64 code to a unit. This size is justified if the value is
/// likelier than all other values of the argument together. The limit is in percent.
static constexpr unsigned LeastLikely = 50;

/// Is \p P worth a version? A prediction from other units always is, because the call is then in a
/// wrapper that many units call.
static bool isWorthVersion(const Prediction &P) {
  return P.Percent > LeastLikely || P.Source == PredictionSource::Project;
}

/// The predictions of one argument.
using Alternatives = SmallVector<const Prediction *, LikelyValues>;

static bool isCount(Role R) {
  return R == Role::Count || R == Role::SendCount || R == Role::RecvCount;
}

static std::vector<Alternatives> alternatives(const SiteFacts &Facts, bool InlineAll,
                                              function_ref<bool(const Prediction &)> Wanted) {
  std::vector<Alternatives> ByArgument;
  for (const Prediction &P : Facts.Predictions) {
    if (!Wanted(P) || P.Value.K == Answer::Derived || !(InlineAll || isWorthVersion(P)))
      continue;
    if (ByArgument.empty() || ByArgument.back().front()->Argument != P.Argument)
      ByArgument.emplace_back();
    ByArgument.back().push_back(&P);
  }
  return ByArgument;
}

/// The \p Rank-th value of each argument, or the likeliest value if the argument has fewer values.
/// Empty if no argument has as many values.
static std::vector<Prediction> assumption(ArrayRef<Alternatives> ByArgument, unsigned Rank) {
  std::vector<Prediction> Assumed;
  bool IsNew = false;
  for (const Alternatives &Values : ByArgument) {
    IsNew |= Rank < Values.size();
    Assumed.push_back(*Values[Rank < Values.size() ? Rank : 0]);
  }
  return IsNew ? Assumed : std::vector<Prediction>();
}

/// A message that does not fit into one cell of a lane has a fast path only if its count is a
/// constant.
static bool needsCount(const CallSite &Site, const SiteFacts &Facts) {
  const SmallVector<Transfer, 2> Sides = transfersOf(*Site.Function);
  return any_of(zip(Sides, Facts.Transfers), [&](const auto &Side) {
    const auto &[Roles, Known] = Side;
    return !Roles.Receives && Known.Bytes.K == Answer::Constant && Known.Size == SizeClass::Short &&
           Known.Bytes.Low > mpispec_cell_payload;
  });
}

/// Calls with different constant counts cannot share one function out of line. Therefore constant
/// counts that the template does not need are dropped.
static void forgetCounts(SiteFacts &Facts) {
  for (TransferFacts &T : Facts.Transfers)
    if (T.Count.K == Answer::Constant)
      T.Count = Answer();
}

static void addVersions(const CallSite &Site, const SiteFacts &Facts,
                        ArrayRef<Alternatives> ByArgument,
                        function_ref<bool(const SiteFacts &)> Gains, std::vector<Version> &To) {
  for (unsigned Rank = 0; Rank < LikelyValues; ++Rank) {
    std::vector<Prediction> Assumed = assumption(ByArgument, Rank);
    if (Assumed.empty())
      return;
    SiteFacts Then = assume(*Site.Function, Facts, Assumed);
    if (!blockersOf(Site, Then).empty() || isLong(Site, Then) || !Gains(Then))
      continue; // a long message gains too little from a prediction
    if (!needsCount(Site, Then) && Site.Function->Kind != FunctionKind::Collective)
      forgetCounts(Then);
    std::string Template = templateCell(Site.Function->Name, callFacts(Site, Then)).str();
    if (Template != OrdinaryCell)
      To.push_back({std::move(Assumed), std::move(Then), std::move(Template)});
  }
}

std::vector<Version> versionsOf(const CallSite &Site, const SiteFacts &Facts, bool InlineAll) {
  std::vector<Version> Versions;
  bool IsBlocked = !blockersOf(Site, Facts).empty();
  auto Always = [](const SiteFacts &) { return true; };
  auto NeedsCount = [&](const SiteFacts &Then) { return needsCount(Site, Then); };
  auto IsHandle = [](const Prediction &P) {
    return !isCount(P.Argument) && P.Argument != Role::Comm;
  };
  auto OfCount = [](const Prediction &P) { return isCount(P.Argument); };
  if (IsBlocked)
    addVersions(Site, Facts, alternatives(Facts, InlineAll, IsHandle), Always, Versions);
  if (Versions.empty() && Site.Function->Kind != FunctionKind::Collective)
    addVersions(Site, Facts, alternatives(Facts, InlineAll, OfCount), NeedsCount, Versions);
  return Versions;
}

} // namespace mpispec
