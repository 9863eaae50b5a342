//===- MissedFacts.h - What kept a call from a better template --------------------------------===//
//
// Selection's second half: the remarks. Each names the argument that blocked, and the edit of the
// program that would free it, in the program's own words. Only that is asked of a person which
// changes the machine code of the call: test/Selection/hints.c compares it with and without.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_MISSEDFACTS_H
#define MPISPEC_SELECTION_MISSEDFACTS_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Selection/Choice.h"
#include "Selection/FastPath.h"

namespace mpispec {

/// Why \p Site cannot be rewritten at all, if that is so.
std::optional<Missed> reasonToLeaveAlone(const CallSite &Site, const SiteFacts &Facts);

/// Why \p Site is not worth its inline body, if that is so. Where a profile knows the call, that
/// decides (RunFacts). Else it is about collective operations and probes: \p Site
/// is executed once, or it stands in no loop beside other collective operations, as in set-up and
/// summaries. A function that has only one may be what a loop of another unit calls; of a probe, a
/// loop is seen. \p Sites: all of the unit.
std::optional<Missed> reasonNotToInline(const CallSite &Site, const SiteFacts &Facts,
                                        llvm::ArrayRef<CallSite> Sites);

/// What would make \p Site's code better, as far as an edit of the program could. \p Blockers keep
/// it from its fast path: where no edit lifts one of them, nothing is asked, for nothing else would
/// change the code. Where there are none: what would make the fast path shorter.
std::vector<Missed> missedFacts(const CallSite &Site, const SiteFacts &Facts,
                                llvm::ArrayRef<Blocker> Blockers);

} // namespace mpispec
#endif
