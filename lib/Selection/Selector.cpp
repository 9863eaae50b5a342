//===- Selector.cpp - The template of a call --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Selection/Selector.h"
#include "Selection/FastPath.h"
#include "Selection/MissedFacts.h"
#include "Selection/Versions.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mpispec {

/// A wildcard must be matched with messages from all sources. Therefore templates for a remote or a
/// local peer do not accept it. A proven MPI_PROC_NULL counts as remote.
static NodeClass nodeOf(const TransferFacts &T) {
  if (T.PeerIsWildcard || T.PeerMayBeWildcard)
    return NodeClass::Dynamic;
  return T.PeerIsNull ? NodeClass::Remote : T.Node;
}

CallFacts callFacts(const CallSite &Site, const SiteFacts &Facts) {
  CallFacts Known;
  Known.StatusIgnored = Facts.StatusIgnored || Facts.StatusUnread;
  if (Facts.Transfers.empty())
    return Known;
  const TransferFacts &First = Facts.Transfers.front();
  if (isLong(Site, Facts))
    Known.Size = SizeClass::Long;
  else if (First.Size != SizeClass::Long &&
           all_of(Facts.Transfers, [&](const TransferFacts &T) { return T.Size == First.Size; }))
    Known.Size = First.Size;
  NodeClass Node = nodeOf(First);
  if (all_of(Facts.Transfers, [&](const TransferFacts &T) { return nodeOf(T) == Node; }))
    Known.Node = Node;
  return Known;
}

static Choice select(const CallSite &Site, const SiteFacts &Facts, bool InlineAll,
                     std::optional<MissedFact> Cold) {
  Choice C;
  C.Site = Site.Number;
  std::optional<MissedFact> Reason = reasonToLeaveAlone(Site, Facts);
  if (!Reason)
    Reason = std::move(Cold);
  if (Reason) {
    C.Missed.push_back(std::move(*Reason));
    return C;
  }
  SmallVector<Blocker, 2> Blockers = blockersOf(Site, Facts);
  C.Versions = versionsOf(Site, Facts, InlineAll);
  C.HasProven = Blockers.empty();
  if (!C.HasProven && !C.Versions.empty()) {
    C.Form = CallForm::Inline;
    C.Template = C.Versions.front().Template;
  } else if (Blockers.empty()) {
    C.Form = CallForm::Inline;
    C.Template = templateCell(Site.Function->Name, callFacts(Site, Facts)).str();
    assert(C.Template != OrdinaryCell && "the row that requires nothing has another cell");
  } else {
    C.Form = CallForm::Ordinary;
    C.WhyOrdinary = text(Blockers.front().K).str();
  }
  C.Missed = missedFacts(Site, Facts, Blockers);
  return C;
}

std::vector<Choice> selectTemplates(ArrayRef<CallSite> Sites, ArrayRef<SiteFacts> Facts,
                                    bool InlineAll) {
  assert(Sites.size() == Facts.size() && "facts are parallel to sites");
  std::vector<Choice> Choices;
  for (const auto &[Site, Known] : zip_equal(Sites, Facts))
    Choices.push_back(select(Site, Known, InlineAll,
                             InlineAll ? std::nullopt : reasonNotToInline(Site, Known, Sites)));
  return Choices;
}

} // namespace mpispec
