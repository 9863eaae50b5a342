//===- Predict.h - Predictions from flows -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_PREDICTIONS_PREDICT_H
#define MPISPEC_PREDICTIONS_PREDICT_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Frontend/HandleProbe.h"
#include "Predictions/Flows.h"

namespace mpispec {

/// Adds predictions to \p Facts, which is parallel to \p Sites. \p OfUnit, the flows within the
/// unit, are used first. For an argument without a prediction, the flows of all units are used.
/// \p ReadOthers reads the other units' flows. It is called only if a prediction is missing.
void predict(llvm::ArrayRef<CallSite> Sites, const Handles &Values, const Flows &OfUnit,
             llvm::function_ref<Flows()> ReadOthers, std::vector<SiteFacts> &Facts);

} // namespace mpispec
#endif
