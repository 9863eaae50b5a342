//===- Predict.cpp - Predictions from flows
//----------------------------------------------------===//
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
        ((Source == PredictionSource::Unit ? "what this file gives '" : "what other files give '") +
         Site.Spellings[Index].Text + "'");
    Seen.push_back(std::move(Counted));
  }
  addPredictions(Facts, Site.Function->Roles[Index], Source, std::move(Seen),
                 std::max(Others, 0.0));
}

void predict(ArrayRef<CallSite> Sites, const Handles &Values, const Flows &OfUnit,
             const Flows &OfProject, std::vector<SiteFacts> &Facts) {
  Flows All;
  if (!OfProject.empty()) {
    All.add(OfUnit);
    All.add(OfProject);
  }
  for (auto [Site, Known] : zip_equal(Sites, Facts))
    for (auto [Index, R] : enumerate(Site.Function->Roles)) {
      const Answer *Proven = answerOf(*Site.Function, Known, R);
      if (!Known.Copies || !Proven || Proven->isKnown())
        continue;
      predictArgument(Site, Index, Values, OfUnit, PredictionSource::Unit, Known);
      predictArgument(Site, Index, Values, All, PredictionSource::Project, Known);
    }
}

} // namespace mpispec
