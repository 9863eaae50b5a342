//===- Predictions.cpp - Likely values of arguments -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

/// Bytes of one element, as far as they are known.
static std::optional<int64_t> elementBytes(const TransferFacts &T) {
  if (T.DatatypeSize)
    return *T.DatatypeSize;
  return T.Datatype.K == Answer::Derived && T.Datatype.Low ? std::optional(T.Datatype.Low)
                                                           : std::nullopt;
}

/// How likely assumeLong() is right, in percent.
static constexpr unsigned LikelyLong = 90;

/// A derived datatype with a size that is known only at run time usually describes a part of an
/// array. Messages of such a datatype are nearly always long.
static void assumeLong(TransferFacts &T) {
  T.Size = SizeClass::Long;
  T.SizeOrigin = "a derived datatype";
}

/// Computes bytes and size class again, from the new count and datatype.
static void recomputeSize(TransferFacts &T) {
  std::optional<int64_t> Known = elementBytes(T);
  if (T.Datatype.K == Answer::Derived && !Known && T.Size == SizeClass::Dynamic)
    return assumeLong(T);
  if (!Known || T.Count.K == Answer::Unknown || T.Count.K == Answer::Handle)
    return;
  int64_t Element = *Known;
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

/// The likeliest prediction of each argument that has predictions.
static std::vector<Prediction> likeliest(const SiteFacts &Facts) {
  std::vector<Prediction> First;
  for (const Prediction &P : Facts.Predictions)
    if (none_of(First, [&](const Prediction &Other) { return Other.Argument == P.Argument; }))
      First.push_back(P);
  return First;
}

SmallVector<PredictedSize, 2> predictedSizes(const FunctionInfo &F, const SiteFacts &Facts) {
  SmallVector<PredictedSize, 2> Sizes;
  std::vector<Prediction> Assumed = likeliest(Facts);
  const auto Weakest = std::min_element(
      Assumed.begin(), Assumed.end(),
      [](const Prediction &L, const Prediction &R) { return L.Percent < R.Percent; });
  bool IsAnyAssumed = Weakest != Assumed.end();
  SiteFacts Then = assume(F, Facts, Assumed);
  for (auto [Side, T] : enumerate(Then.Transfers)) {
    if (Facts.Transfers[Side].Size != SizeClass::Dynamic || T.Size == SizeClass::Dynamic)
      continue;
    bool IsGuess = T.Bytes.K == Answer::Unknown; // a derived datatype
    Sizes.push_back({static_cast<unsigned>(Side), T.Size, T.SizeOrigin,
                     std::min(IsAnyAssumed ? Weakest->Percent : 100u, IsGuess ? LikelyLong : 100u),
                     IsAnyAssumed ? Weakest->Source : PredictionSource::Unit});
  }
  return Sizes;
}

} // namespace mpispec
