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

/// Divides \p Share among the values that flow into \p Place. \p Behind: the places through which
/// the search reached \p Place.
void Flows::collect(StringRef Place, double Share, std::vector<StringRef> &Behind,
                    bool StopAtProgram, std::map<FlowValue, double> &Shares) const {
  constexpr size_t LongestWay = 8;
  auto Found = Places.find(Place);
  if (Found == Places.end() || Behind.size() == LongestWay)
    return;
  Behind.push_back(Found->first());
  double All = 0;
  for (const auto &[Value, Count] : Found->second)
    if (!is_contained(Behind, StringRef(Value)))
      All += Count;
  for (const auto &[Value, Count] : Found->second) {
    if (is_contained(Behind, StringRef(Value)))
      continue;
    double Part = Share * Count / All;
    bool IsEnd = !isPlace(Value) || (StopAtProgram && !isOfUnit(Value));
    if (!IsEnd)
      collect(Value, Part, Behind, StopAtProgram, Shares);
    else if (Value != "?")
      Shares[Value] += Part;
  }
  Behind.pop_back();
}

std::map<FlowValue, double> Flows::shares(StringRef Place) const {
  std::map<FlowValue, double> Shares;
  std::vector<StringRef> Behind;
  collect(Place, 1, Behind, /*StopAtProgram=*/false, Shares);
  return Shares;
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
      std::map<FlowValue, double> Shares;
      std::vector<StringRef> Behind;
      collect(Value, 1, Behind, /*StopAtProgram=*/true, Shares);
      double Rest = 1;
      for (const auto &[Part, Share] : Shares) {
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
