//===- Predict.cpp - Predictions from flows ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Predictions/Predict.h"
#include "Facts/Predictions.h"
#include "Predictions/FlowCollector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mpispec {

/// \p V, which has a \p Share of the calls, as a value of an argument with role \p R, or nothing if
/// it cannot be one.
static std::optional<CountedValue> readValue(StringRef V, double Share, Role R,
                                             const Handles &Values) {
  if (V.consume_front("@"))
    return countedHandle(V, Values, Share);
  CountedValue Result;
  Answer &A = Result.Value;
  if (V.consume_front("*")) {
    A.K = Answer::Derived;
    V.getAsInteger(10, A.Low); // empty if the number is unknown
    A.High = A.Low;
    Result.Count = Share;
    return Result;
  }
  bool IsCount = is_contained({Role::Count, Role::SendCount, Role::RecvCount}, R);
  if (!V.consume_front("=") || !IsCount || V.getAsInteger(10, A.Low) || A.Low < 0)
    return std::nullopt;
  A.K = Answer::Constant;
  A.High = A.Low;
  Result.Count = Share;
  return Result;
}

static void predictArgument(const CallSite &Site, unsigned Index, const Handles &Values,
                            const Flows &Known, PredictionSource Source, SiteFacts &Facts) {
  std::vector<CountedValue> Seen;
  double Others = 1;
  for (const auto &[Value, Share] : Known.shares(argumentPlace(Site, Index))) {
    std::optional<CountedValue> Counted =
        readValue(Value, Share, Site.Function->Roles[Index], Values);
    if (!Counted)
      continue;
    Others -= Share;
    Counted->Value.Origin =
        ((Source == PredictionSource::Unit ? "what this file gives '" : "what other units give '") +
         Site.Spellings[Index].Text + "'");
    Seen.push_back(std::move(*Counted));
  }
  addPredictions(Facts, Site.Function->Roles[Index], Source, std::move(Seen),
                 std::max(Others, 0.0));
}

/// Can the argument be predicted, and is it neither proven nor predicted yet?
static bool isOpen(const CallSite &Site, unsigned Index, const SiteFacts &Facts) {
  const Role R = Site.Function->Roles[Index];
  static constexpr Role Predictable[] = {
      Role::Count,        Role::SendCount,    Role::RecvCount, Role::Datatype,
      Role::SendDatatype, Role::RecvDatatype, Role::Comm,      Role::Op};
  const Answer *Proven =
      is_contained(Predictable, R) ? answerOf(*Site.Function, Facts, R) : nullptr;
  return Facts.Copies && Proven && !Proven->isKnown() &&
         none_of(Facts.Predictions, [&](const Prediction &P) { return P.Argument == R; });
}

static void predictFrom(ArrayRef<CallSite> Sites, const Handles &Values, const Flows &Known,
                        PredictionSource Source, std::vector<SiteFacts> &Facts, bool &LeftOpen) {
  LeftOpen = false;
  for (auto [Site, OfSite] : zip_equal(Sites, Facts))
    for (unsigned Index = 0; Index < Site.Function->Roles.size(); ++Index) {
      if (!isOpen(Site, Index, OfSite))
        continue;
      predictArgument(Site, Index, Values, Known, Source, OfSite);
      LeftOpen |= isOpen(Site, Index, OfSite);
    }
}

void predict(ArrayRef<CallSite> Sites, const Handles &Values, const Flows &OfUnit,
             function_ref<Flows()> ReadOthers, std::vector<SiteFacts> &Facts) {
  bool LeftOpen;
  predictFrom(Sites, Values, OfUnit, PredictionSource::Unit, Facts, LeftOpen);
  if (!LeftOpen)
    return;
  Flows All = ReadOthers();
  if (All.empty())
    return;
  All.add(OfUnit);
  predictFrom(Sites, Values, All, PredictionSource::Project, Facts, LeftOpen);
}

} // namespace mpispec
