//===- MissedFacts.h - Why a call did not get a better template -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The remarks of Selection. Each remark names the argument that is the reason, and the edit of the
// program that would help, with the program's own identifiers. An edit is proposed only if it
// changes the machine code of the call: test/Selection/hints.c compares the code with and without
// each edit.
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
/// - A probe is inlined only in a loop.
/// - A collective operation that is executed at most once is not inlined. Outside loops it is
///   inlined only if its function contains no other collective operation. A function with several
///   usually sets up data or summarizes results. A function with one may be called in a loop of
///   another unit.
/// \p Sites: all sites of the unit.
std::optional<MissedFact> reasonNotToInline(const CallSite &Site, const SiteFacts &Facts,
                                            llvm::ArrayRef<CallSite> Sites);

/// The facts that would improve the code of \p Site, if an edit of the program can provide them.
/// \p Blockers are the reasons why it has no fast path. If one of them cannot be removed by an
/// edit, the result is empty, because no other edit would change the code. Without blockers: the
/// facts that would make the fast path shorter.
std::vector<MissedFact> missedFacts(const CallSite &Site, const SiteFacts &Facts,
                                    llvm::ArrayRef<Blocker> Blockers);

} // namespace mpispec
#endif
