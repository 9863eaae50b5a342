//===- MissedFacts.h - Why a call did not get a better template -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The remarks of Selection. Each names the argument that is the reason and the edit of the program
// that would help, in the program's own names. An edit is proposed only if it changes the machine
// code of the call: test/Selection/hints.c compares the code with and without each edit.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_MISSEDFACTS_H
#define MPISPEC_SELECTION_MISSEDFACTS_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Selection/Choice.h"
#include "Selection/FastPath.h"

namespace mpispec {

/// The reason why \p Site cannot be rewritten, if there is one.
std::optional<MissedFact> reasonToLeaveAlone(const CallSite &Site, const SiteFacts &Facts);

/// The reason why \p Site is not worth an inline body, if there is one. If a profile contains the
/// call, the profile decides (RunFacts). Otherwise only collective operations and probes have a
/// reason:
/// - A probe must be in a loop.
/// - A collective operation must not be executed once only. Outside loops it must be the only one
///   of its function, because a function with several is usually set-up or a summary. A
///   function with one may be called in a loop of another unit.
/// \p Sites: all sites of the unit.
std::optional<MissedFact> reasonNotToInline(const CallSite &Site, const SiteFacts &Facts,
                                            llvm::ArrayRef<CallSite> Sites);

/// The facts that would make \p Site's code better and that an edit of the program could provide.
/// \p Blockers are the reasons why it has no fast path. If no edit removes one of them, the result
/// is empty, because no other edit would change the code. Without blockers: the facts that
/// would make the fast path shorter.
std::vector<MissedFact> missedFacts(const CallSite &Site, const SiteFacts &Facts,
                                    llvm::ArrayRef<Blocker> Blockers);

} // namespace mpispec
#endif
