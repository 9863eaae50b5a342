//===- RunPredictions.h - What a profiled run says about the calls of a unit ------------------===//
//
//     index of a profile (Profile/ProfileIndex.h) + CallSite ─► RunFacts, predictions
//
// A site of the profile and a call are the same if file, line and function are, and where a line
// has several calls of the function, their order. A file is the same by its path; or, where a
// project was moved, by the end of its path, if a call stands where the profile has one. Nothing
// depends on a profile being right: predictions are tested at the call, and a call that the profile
// calls cold makes the ordinary call.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_PREDICTIONS_RUNPREDICTIONS_H
#define MPISPEC_PREDICTIONS_RUNPREDICTIONS_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Frontend/HandleProbe.h"
#include "Profile/RunProfile.h"

namespace mpispec {

/// Fills in SiteFacts::Run of the calls in files that the run knows, and adds predictions of
/// arguments of which nothing is proven or predicted. Returns warnings: of files that have changed
/// since the run, so that nothing is known of them, and of one with main() that is no source of the
/// program that ran.
std::vector<std::string> predictFromRun(llvm::ArrayRef<CallSite> Sites, const Handles &Values,
                                        const RunProfile &Run, std::vector<SiteFacts> &Facts);

} // namespace mpispec
#endif
