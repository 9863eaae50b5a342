//===- Predictions.cpp - Values that arguments are likely to have -----------------------------===//
#include "Facts/Predictions.h"
#include "mpispec/contract.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace llvm;

namespace mpispec {

std::optional<CountedValue> countedHandle(StringRef Name, const Handles &Values, double Count) {
  CountedValue V;
  V.Count = Count;
  V.Value.K = Answer::Handle;
  V.Value.Name = Name.str();
  V.Value.Bits = Values.bits(Name);
  const DatatypeInfo *Datatype = Values.datatype(Values.value(Name));
  if (Datatype && Datatype->Class != DatatypeClass::Pair)
    V.ElementBytes = Values.size(*Datatype);
  return V.Value.Bits.empty() ? std::nullopt : std::optional(std::move(V));
}

const Answer *answerOf(const FunctionInfo &F, const SiteFacts &Facts, Role Argument) {
  if (Argument == Role::Comm)
    return &Facts.Comm;
  if (Argument == Role::Op)
    return &Facts.Op;
  if (Argument == Role::Root)
    return &Facts.Root;
  const SmallVector<Transfer, 2> Sides = transfersOf(F);
  for (const auto &[Side, T] : zip(Sides, Facts.Transfers)) {
    if (Side.Count == Argument)
      return &T.Count;
    if (Side.Datatype == Argument)
      return &T.Datatype;
    if (Side.Peer == Argument)
      return &T.Peer;
    if (Side.Tag == Argument)
      return &T.Tag;
  }
  return nullptr;
}

void addPredictions(SiteFacts &Facts, Role Argument, PredictionSource Source,
                    std::vector<CountedValue> Seen, double Others) {
  if (any_of(Facts.Predictions, [&](const Prediction &P) { return P.Argument == Argument; }))
    return;
  double All = Others;
  for (const CountedValue &V : Seen)
    All += V.Count;
  sort(Seen, [](const CountedValue &L, const CountedValue &R) {
    return std::tie(R.Count, L.Value.Name, L.Value.Low) <
           std::tie(L.Count, R.Value.Name, R.Value.Low);
  });
  constexpr double Rounding = 1e-6;
  bool AreFew = Seen.size() <= LikelyValues && Others <= Rounding * All;
  double Rest = All;
  for (const CountedValue &V : ArrayRef(Seen).take_front(LikelyValues)) {
    bool IsLikely = V.Count * 100 >= Rest * LeastPercentOfRest ||
                    (AreFew && V.Count * 100 >= All * LeastPercentOfFew);
    if (V.Count <= 0 || !IsLikely)
      return;
    Rest -= V.Count;
    auto Percent = static_cast<unsigned>(V.Count * 100 / All + 0.5);
    Facts.Predictions.push_back(
        {Argument, V.Value, std::clamp(Percent, 1u, 100u), Source, V.ElementBytes});
  }
}

/// Bytes and size class, from what count and datatype have become.
static void recomputeSize(TransferFacts &T) {
  if (!T.DatatypeSize || T.Count.K == Answer::Unknown || T.Count.K == Answer::Handle)
    return;
  int64_t Element = *T.DatatypeSize;
  bool Fits = T.Count.Low >= 0 && (Element == 0 || T.Count.High <= INT64_MAX / Element);
  if (!Fits || T.Bytes.K == Answer::Constant)
    return;
  T.Bytes = T.Count;
  T.Bytes.Low = T.Count.Low * Element;
  T.Bytes.High = T.Count.High * Element;
  T.Bytes.K = T.Bytes.Low == T.Bytes.High ? Answer::Constant : Answer::Range;
  if (T.Bytes.High <= mpispec_short_bytes)
    T.Size = SizeClass::Short;
  else if (T.Bytes.Low > mpispec_short_bytes)
    T.Size = SizeClass::Long;
  T.SizeOrigin = T.Size == SizeClass::Dynamic ? "" : T.Count.Origin;
}

SiteFacts assume(const FunctionInfo &F, SiteFacts Facts, ArrayRef<Prediction> Assumed) {
  const SmallVector<Transfer, 2> Sides = transfersOf(F);
  for (const Prediction &P : Assumed) {
    if (P.Argument == Role::Comm)
      Facts.Comm = P.Value;
    else if (P.Argument == Role::Op)
      Facts.Op = P.Value;
    for (auto [Side, T] : zip(Sides, Facts.Transfers)) {
      if (Side.Count == P.Argument)
        T.Count = P.Value;
      if (Side.Datatype == P.Argument) {
        T.Datatype = P.Value;
        T.DatatypeSize = P.ElementBytes;
        T.Contiguous = P.ElementBytes.has_value();
        T.ContiguousInEachCopy = false;
      }
    }
  }
  for (TransferFacts &T : Facts.Transfers)
    recomputeSize(T);
  Facts.Predictions.clear();
  return Facts;
}

} // namespace mpispec
