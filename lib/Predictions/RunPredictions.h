//===- RunPredictions.h - Predictions from a profiled run -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   index of a profile (Profile/ProfileIndex.h) + CallSite ─► RunFacts, predictions
//
// A site of the profile belongs to a call of the unit if file, line and function are equal. If a
// line has several calls of the function, their order decides. A file is identified by its path. If
// the project was moved, the end of the path is enough. The file and the profile must then have a
// call on the same line. Correctness never depends on a profile, because the call tests each
// prediction. A call that is cold in the profile is not rewritten.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PREDICTIONS_RUNPREDICTIONS_H
#define MPISPEC_PREDICTIONS_RUNPREDICTIONS_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Frontend/HandleProbe.h"
#include "Profile/RunProfile.h"

namespace mpispec {

/// Fills in SiteFacts::Run for calls about which the profile has data. Adds predictions of
/// arguments that are neither proven nor predicted. Returns warnings of two kinds. The first kind
/// is about files that have changed since the run, so that the profile has no data about them. The
/// second kind is about files with main() that are no source of the program that ran.
std::vector<std::string> predictFromRun(llvm::ArrayRef<CallSite> Sites, const Handles &Values,
                                        const RunProfile &Run, std::vector<SiteFacts> &Facts);

} // namespace mpispec
#endif
