//===- Flows.h - Flows into variables, fields and parameters ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *place* is a variable, a field of a structure type, a parameter of a function, or an argument
// of a call site. A *flow* is one assignment, initializer or argument of the text: a value, known
// or unknown, that goes into a place. The flows of a program give the values that a place can have,
// and the number of flows that put each value there:
//
//   params.type = MPI_INT;              field 'params_t.type'   <- MPI_INT
//   exchange(buf, params.type);         parameter 1 of exchange <- field 'params_t.type'
//   void exchange(.., MPI_Datatype t)
//   { MPI_Send(buf, n, t, ...); }       argument 2 of site 0    <- parameter 1 of exchange
//
// Flows prove nothing: addresses escape, an array counts as one variable, and the order of
// execution is ignored. They are the input of predictions (Predict.h) and the content of summaries
// (SummaryCache.h).
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PREDICTIONS_FLOWS_H
#define MPISPEC_PREDICTIONS_FLOWS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <vector>

namespace mpispec {

/// The value of a flow, as one word: "?" (not known), "=4", "@MPI_DOUBLE", "*" or "*32" (a derived
/// datatype, of 32 bytes an element), or the name of a place.
///
/// The name of a place begins with its kind: "f:" a field, "g:" a global variable, "p:" a
/// parameter. "s:" is an argument of a site, and "v:" any other place. A "-" in front means a place
/// of this unit only. Places without it are places of the program, and have the same name in every
/// unit.
using FlowValue = std::string;

inline bool isPlace(llvm::StringRef V) {
  return !V.empty() && !llvm::StringRef("?=@*").contains(V[0]);
}
inline bool isOfUnit(llvm::StringRef Place) { return Place.starts_with("-"); }
inline bool isOfProgram(llvm::StringRef Place) {
  return Place.starts_with("f:") || Place.starts_with("g:") || Place.starts_with("p:");
}

class Flows {
public:
  /// Adds a flow. \p Count is the number of assignments or calls in the text. It is a fraction if a
  /// summary has divided one of them among several values.
  void add(llvm::StringRef Place, llvm::StringRef Value, double Count = 1);
  void add(const Flows &Others);
  bool empty() const { return Places.empty(); }

  /// The values that flow into \p Place, directly or through other places, with their shares. The
  /// sum of the shares is at most 1; the rest stands for unknown values, and for ways of more than
  /// eight flows.
  std::map<FlowValue, double> shares(llvm::StringRef Place) const;

  /// Calls \p Visit for each flow into a place of the program, in a fixed order. A value that is a
  /// place of this unit is replaced by the values that flow into that place.
  void forEachOfProgram(
      llvm::function_ref<void(llvm::StringRef Place, llvm::StringRef Value, double Count)> Visit)
      const;

private:
  using Values = std::map<FlowValue, double>;
  std::map<FlowValue, double> ends(llvm::StringRef Place, bool StopAtProgram) const;

  llvm::StringMap<Values> Places;
};

} // namespace mpispec
#endif
