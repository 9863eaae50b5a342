//===- FlowCollector.h - The flows of one unit ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_PREDICTIONS_FLOWCOLLECTOR_H
#define MPISPEC_PREDICTIONS_FLOWCOLLECTOR_H

#include "Frontend/Parse.h"
#include "Predictions/Flows.h"

namespace mpispec {

/// The place that argument \p Index of a site is.
std::string argumentPlace(const CallSite &Site, unsigned Index);

/// Reads the flows of handles and integers out of the syntax tree of \p Unit; before facts are
/// proven, which uses up the module.
Flows collectFlows(ParsedUnit &Unit);

} // namespace mpispec
#endif
