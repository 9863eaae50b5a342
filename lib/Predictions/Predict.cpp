//===- Predict.cpp - Predictions from flows ---------------------------------------------------===//
#include "Predictions/Predict.h"
#include "Facts/Predictions.h"
#include "Predictions/FlowCollector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mpispec {

/// \p V as a value of an argument with role \p R; false: it cannot be one.
static bool readValue(StringRef V, Role R, const Handles &Values, CountedValue &Result) {
  Answer &A = Result.Value;
  if (V.consume_front("=")) {
    bool IsCount = is_contained({Role::Count, Role::SendCount, Role::RecvCount}, R);
    A.K = Answer::Constant;
    if (!IsCount || V.getAsInteger(10, A.Low) || A.Low < 0)
      return false;
    A.High = A.Low;
    return true;
  }
  const Constant *Handle = V.consume_front("@") ? Values.value(V) : nullptr;
  if (!Handle)
    return false;
  A.K = Answer::Handle;
  A.Name = V.str();
  A.Bits = handleBits(*Handle);
  const DatatypeInfo *Datatype = Values.datatype(Handle);
  if (Datatype && Datatype->Class != DatatypeClass::Pair)
    Result.ElementBytes = Values.size(*Datatype);
  return !A.Bits.empty();
}

static void predictArgument(const CallSite &Site, unsigned Index, const Handles &Values,
                            const Flows &Known, PredictionSource Source, SiteFacts &Facts) {
  std::vector<CountedValue> Seen;
  double Others = 1;
  for (const auto &[Value, Share] : Known.shares(argumentPlace(Site, Index))) {
    CountedValue Counted;
    Counted.Count = Share;
    if (!readValue(Value, Site.Function->Roles[Index], Values, Counted))
      continue;
    Others -= Share;
    Counted.Value.Origin =
        ((Source == PredictionSource::Unit ? "what this file gives '" : "what other units give '") +
         Site.Spellings[Index].Text + "'");
    Seen.push_back(std::move(Counted));
  }
  addPredictions(Facts, Site.Function->Roles[Index], Source, std::move(Seen),
                 std::max(Others, 0.0));
}

/// An argument of which something could be predicted, and nothing is.
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
