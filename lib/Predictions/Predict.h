//===- Predict.h - Predictions from flows -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_PREDICTIONS_PREDICT_H
#define MPISPEC_PREDICTIONS_PREDICT_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Frontend/HandleProbe.h"
#include "Predictions/Flows.h"

namespace mpispec {

/// Adds predictions to \p Facts, which is parallel to \p Sites. Predictions come from the flows \p
/// OfUnit within the unit. If these give no prediction, they come from the flows of all units.
/// \p ReadOthers reads the other units' flows only if a prediction is missing.
void predict(llvm::ArrayRef<CallSite> Sites, const Handles &Values, const Flows &OfUnit,
             llvm::function_ref<Flows()> ReadOthers, std::vector<SiteFacts> &Facts);

} // namespace mpispec
#endif
