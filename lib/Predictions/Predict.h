//===- Predict.h - Predictions from flows -----------------------------------------------------===//
#ifndef MPISPEC_PREDICTIONS_PREDICT_H
#define MPISPEC_PREDICTIONS_PREDICT_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Frontend/HandleProbe.h"
#include "Predictions/Flows.h"

namespace mpispec {

/// Adds predictions to \p Facts, which is parallel to \p Sites: from what flows within the unit
/// (\p OfUnit), and where that says nothing, from that and what other units told. These are read,
/// by \p ReadOthers, only if something is left to be predicted.
void predict(llvm::ArrayRef<CallSite> Sites, const Handles &Values, const Flows &OfUnit,
             llvm::function_ref<Flows()> ReadOthers, std::vector<SiteFacts> &Facts);

} // namespace mpispec
#endif
