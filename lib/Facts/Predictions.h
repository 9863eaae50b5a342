//===- Predictions.h - Likely values of arguments ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each source of predictions yields counts. For example, it counts the copies of a call, the calls
// in the text, or the executions that pass MPI_INT. This file makes predictions from the counts, by
// the rule of LLVM's profiles of memory sizes (PGOMemOPSizeOpt). An argument has at most
// LikelyValues predictions. Each has at least LeastPercentOfRest percent of the executions that the
// likelier values leave. If an argument has at most LikelyValues values, and none is unknown,
// each value with at least LeastPercentOfFew percent of all executions is likely.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_FACTS_PREDICTIONS_H
#define MPISPEC_FACTS_PREDICTIONS_H

#include "Facts/Facts.h"
#include "Frontend/HandleProbe.h"

namespace mpispec {

inline constexpr unsigned LikelyValues = 3;
inline constexpr unsigned LeastPercentOfRest = 40;
inline constexpr unsigned LeastPercentOfFew = 20; ///< if all values are known, and few

/// A value and how often it was seen. The source of predictions determines what is counted:
/// copies, calls or executions.
struct CountedValue {
  Answer Value;
  double Count = 0;
  std::optional<uint64_t> ElementBytes = std::nullopt; ///< see Prediction
};

/// The predefined handle called \p Name, seen \p Count times. Nothing if the unit has no expression
/// for its bits (handleBits()).
std::optional<CountedValue> countedHandle(llvm::StringRef Name, const Handles &Values,
                                          double Count);

/// Adds predictions for the argument \p Argument, which is not proven, to \p Facts. \p Seen
/// contains its values, and \p Others counts calls with unknown values. Nothing is added if the
/// argument already has predictions, because callers try the most reliable source first.
void addPredictions(SiteFacts &Facts, Role Argument, PredictionSource Source,
                    std::vector<CountedValue> Seen, double Others);

/// The facts about the call of \p Facts if its arguments had the values in \p Assumed.
SiteFacts assume(const FunctionInfo &F, SiteFacts Facts, llvm::ArrayRef<Prediction> Assumed);

/// The predicted size class of one side of a call.
struct PredictedSize {
  unsigned Side;
  SizeClass Size;
  std::string Origin;
  unsigned Percent;
  PredictionSource Source;
};

/// The size classes that follow from the likeliest values of all arguments.
llvm::SmallVector<PredictedSize, 2> predictedSizes(const FunctionInfo &F, const SiteFacts &Facts);

} // namespace mpispec
#endif
