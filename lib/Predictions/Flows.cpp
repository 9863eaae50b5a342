//===- Flows.cpp - Flows into variables, fields and parameters --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Predictions/Flows.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace mpispec {

void Flows::add(StringRef Place, StringRef Value, double Count) {
  Places[Place][Value.str()] += Count;
}

void Flows::add(const Flows &Others) {
  for (const auto &Entry : Others.Places)
    for (const auto &[Value, Count] : Entry.second)
      add(Entry.first(), Value, Count);
}

/// Goes backwards from \p Place, one flow at a time, and divides the shares of the places reached
/// among the values that flow into them. Ways that end at the same place go on as one.
/// \p StopAtProgram: places of the program count as values.
std::map<FlowValue, double> Flows::ends(StringRef Place, bool StopAtProgram) const {
  constexpr unsigned LongestWay = 8;
  std::map<FlowValue, double> Ends;
  std::map<StringRef, double> Reached = {{Place, 1}};
  for (unsigned Way = 0; Way < LongestWay && !Reached.empty(); ++Way) {
    std::map<StringRef, double> Next;
    for (const auto &[Into, Share] : Reached) {
      auto Found = Places.find(Into);
      if (Found == Places.end())
        continue;
      double All = 0;
      for (const auto &[Value, Count] : Found->second)
        All += Value == Into ? 0 : Count;
      for (const auto &[Value, Count] : Found->second) {
        if (Value == Into || Value == "?")
          continue;
        bool IsEnd = !isPlace(Value) || (StopAtProgram && !isOfUnit(Value));
        (IsEnd ? Ends[Value] : Next[Value]) += Share * Count / All;
      }
    }
    Reached = std::move(Next);
  }
  return Ends;
}

std::map<FlowValue, double> Flows::shares(StringRef Place) const {
  return ends(Place, /*StopAtProgram=*/false);
}

/// \p Count rounded up to 64ths: numbers in files are short then, and the same on all machines.
static double inParts(double Count) { return std::ceil(Count * 64) / 64; }

void Flows::forEachOfProgram(function_ref<void(StringRef, StringRef, double)> Visit) const {
  std::vector<StringRef> Order;
  for (const auto &Entry : Places)
    if (!isOfUnit(Entry.first()))
      Order.push_back(Entry.first());
  sort(Order);
  for (StringRef Place : Order) {
    Values Told;
    for (const auto &[Value, Count] : Places.find(Place)->second) {
      if (!isPlace(Value) || !isOfUnit(Value)) {
        Told[Value] += Count;
        continue;
      }
      double Rest = 1;
      for (const auto &[Part, Share] : ends(Value, /*StopAtProgram=*/true)) {
        Told[Part] += Count * Share;
        Rest -= Share;
      }
      constexpr double Rounding = 1e-6;
      if (Rest > Rounding)
        Told["?"] += Count * Rest;
    }
    for (const auto &[Value, Count] : Told)
      Visit(Place, Value, inParts(Count));
  }
}

} // namespace mpispec
