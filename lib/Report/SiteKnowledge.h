//===- SiteKnowledge.h - The facts of a site under their names --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This list is the only place that names the facts about a call. The table, the JSON and the
// remarks of a site all show it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_REPORT_SITEKNOWLEDGE_H
#define MPISPEC_REPORT_SITEKNOWLEDGE_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"

namespace mpispec {

struct NamedFact {
  std::string Key; ///< "datatype", "recv_count", "node"
  Answer Value;    ///< a class is a Handle with its name: {Handle, "short"}
};

/// A prediction about a site, under the same keys. If the likeliest values determine the size
/// class, it is a prediction, too.
struct NamedPrediction {
  std::string Key;
  Answer Value;
  unsigned Percent = 0;
  PredictionSource Source = PredictionSource::Copies;
};
std::vector<NamedPrediction> namedPredictions(const CallSite &Site, const SiteFacts &Facts);

/// All facts that \p Site can have, known or unknown, in the order in which reports show them. The
/// receiving side of a two-sided call has keys of its own: recv_datatype, ..., source.
std::vector<NamedFact> namedFacts(const CallSite &Site, const SiteFacts &Facts);

} // namespace mpispec
#endif
