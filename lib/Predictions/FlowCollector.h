//===- FlowCollector.h - The flows of one unit ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MPISPEC_PREDICTIONS_FLOWCOLLECTOR_H
#define MPISPEC_PREDICTIONS_FLOWCOLLECTOR_H

#include "Frontend/Parse.h"
#include "Predictions/Flows.h"

namespace mpispec {

/// The name of the place (Flows.h) that stands for argument \p Index of a site.
std::string argumentPlace(const CallSite &Site, unsigned Index);

/// Reads the flows of handles and integers from the syntax tree of \p Unit. Must be called before
/// proveFacts(), which consumes the module.
Flows collectFlows(ParsedUnit &Unit);

} // namespace mpispec
#endif
