//===- Flows.cpp - What flows into variables, fields and parameters
//----------------------------===//
#include "Predictions/Flows.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mpispec {

void Flows::add(StringRef Place, StringRef Value, unsigned Count) {
  Places[Place][Value.str()] += Count;
}

void Flows::add(const Flows &Others) {
  for (const auto &Entry : Others.Places)
    for (const auto &[Value, Count] : Entry.second)
      add(Entry.first(), Value, Count);
}

/// Divides \p Share among what flows into \p Place. \p Behind: the places on the way here.
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

void Flows::forEachOfProgram(function_ref<void(StringRef, StringRef, unsigned)> Visit) const {
  std::vector<StringRef> Order;
  for (const auto &Entry : Places)
    if (!isOfUnit(Entry.first()))
      Order.push_back(Entry.first());
  sort(Order);
  for (StringRef Place : Order)
    for (const auto &[Value, Count] : Places.find(Place)->second) {
      if (!isPlace(Value) || !isOfUnit(Value)) {
        Visit(Place, Value, Count);
        continue;
      }
      std::map<FlowValue, double> Shares;
      std::vector<StringRef> Behind;
      collect(Value, 1, Behind, /*StopAtProgram=*/true, Shares);
      for (const auto &[Part, Share] : Shares)
        Visit(Place, Part, Count);
      if (Shares.empty())
        Visit(Place, "?", Count);
    }
}

} // namespace mpispec
