//===- MissedFacts.h - What kept a call from a better template --------------------------------===//
//
// Selection's second half: the remarks. Each names the argument that blocked, and the edit of the
// program that would free it, in the program's own words.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_MISSEDFACTS_H
#define MPISPEC_SELECTION_MISSEDFACTS_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Selection/Choice.h"
#include "Selection/TemplateCatalog.h"

namespace mpispec {

/// Why \p Site cannot be rewritten at all, if that is so.
std::optional<Missed> reasonToLeaveAlone(const CallSite &Site, const SiteFacts &Facts);

/// Why \p Site, a collective operation, is not worth its inline body, if that is so: it is executed
/// once, or it stands in no loop beside other collective operations, as in set-up and summaries. A
/// function that has only one may be what a loop of another unit calls. \p Sites: all of the
/// unit.
std::optional<Missed> reasonNotToInline(const CallSite &Site, const SiteFacts &Facts,
                                        llvm::ArrayRef<CallSite> Sites);

/// What \p Site lacks for a template more special than \p Chosen. Empty for the most special ones.
std::vector<Missed> missedFacts(const CallSite &Site, const SiteFacts &Facts,
                                const TemplateInfo &Chosen);

} // namespace mpispec
#endif
