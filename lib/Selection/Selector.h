//===- Selector.h - The template of a call ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     CallSite + SiteFacts ─► blockersOf()   ─► none? ─► templateCell() ─► Choice
//                             (FastPath.h)     └─► MissedFacts: the facts for better code
//
// A call that may take a fast path gets the most special template whose required facts are all
// proven. A more general template is correct as well. Therefore a missing fact costs speed, never
// correctness. A call without a fast path is ordinary, unless a predicted value gives it one
// (Versions.h). A call that cannot be rewritten, or is not worth an inline body, is left.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_SELECTION_SELECTOR_H
#define MPISPEC_SELECTION_SELECTOR_H

#include "Facts/Facts.h"
#include "Frontend/CallSite.h"
#include "Selection/Choice.h"
#include "Selection/TemplateCatalog.h"

namespace mpispec {

/// The facts about the call as a whole. A call has a NodeClass or a SizeClass if each of its sides
/// has it. The exception is SizeClass::Long, which isLong() decides. A source that may be
/// MPI_ANY_SOURCE is neither remote nor local.
CallFacts callFacts(const CallSite &Site, const SiteFacts &Facts);

/// The choice for each site. \p Facts is parallel to \p Sites. The inline body of a collective
/// operation or a probe saves little time in relation to its size. Therefore these calls get an
/// inline body only if they may be executed often, or if \p InlineAll is set (reasonNotToInline()).
std::vector<Choice> selectTemplates(llvm::ArrayRef<CallSite> Sites, llvm::ArrayRef<SiteFacts> Facts,
                                    bool InlineAll = false);

} // namespace mpispec
#endif
