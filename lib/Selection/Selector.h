//===- Selector.h - Which template a call gets ------------------------------------------------===//
//
//     CallSite + SiteFacts ─► blockersOf()   ─► none? ─► templateCell() ─► Choice
//                             (FastPath.h)     └─► MissedFacts: what better code would need
//
// The rule: a call that may take a fast path gets the most special template whose required facts
// are all proven. A more general one is always right as well, so doubt costs speed, never
// correctness. All others are ordinary: no template is written for them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_SELECTOR_H
#define MPISPEC_SELECTION_SELECTOR_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Selection/Choice.h"
#include "Selection/TemplateCatalog.h"

namespace mpispec {

/// What is known about the call as a whole: a class holds only if it holds on every side, but it is
/// long as isLong() says, and a source that may be MPI_ANY_SOURCE is neither remote nor local.
CallFacts callFacts(const CallSite &Site, const SiteFacts &Facts);

/// The choice for each site. \p Facts is parallel to \p Sites. The inline body of a collective
/// operation is some 250 bytes for a few nanoseconds, so only calls that may be made often get one,
/// unless \p InlineAll.
std::vector<Choice> selectTemplates(llvm::ArrayRef<CallSite> Sites, llvm::ArrayRef<SiteFacts> Facts,
                                    bool InlineAll = false);

} // namespace mpispec
#endif
