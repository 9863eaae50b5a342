//===- FastPath.cpp - Does a call ever take its template's fast path? -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Selection/FastPath.h"
#include "Selection/Reductions.h"
#include "Selection/TemplateCatalog.h"
#include "mpispec/contract.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace llvm;

namespace mpispec {

StringRef text(Blocker::Kind K) {
  switch (K) {
  case Blocker::NoTemplate:
    return "there is no template: all ranks have data for all";
  case Blocker::NullPeer:
    return "a message to or from nobody";
  case Blocker::NoData:
    return "nothing is moved";
  case Blocker::LongMessage:
    return "what is long is the ordinary call's";
  case Blocker::OtherArithmetic:
    return "the operation on this datatype is the ordinary call's";
  case Blocker::UnknownDatatype:
    return "the datatype is not known to be predefined and without gaps";
  case Blocker::UnknownOperation:
    return "the operation is not known to be a predefined one";
  case Blocker::WildcardSource:
    return "a message from any source";
  case Blocker::WildcardTag:
    return "a message with any tag";
  }
  llvm_unreachable("unknown kind of block");
}

namespace {

/// Collects the blockers of one call.
class Finder {
public:
  Finder(const CallSite &Site, const SiteFacts &Facts)
      : Site(Site), Facts(Facts), Function(templateFunction(Site.Function->Name)),
        General(templateRowsOf(Function.Name).back()) {}
  SmallVector<Blocker, 2> find();

private:
  void findInPeer(unsigned Side, const TransferFacts &Known);
  void findInData(unsigned Side, const Transfer &Roles, const TransferFacts &Known);
  void findInSize(unsigned Side, const Transfer &Roles, const TransferFacts &Known);
  void findInOperation();
  void add(Blocker::Kind K, unsigned Side = 0) { Found.push_back({K, Side}); }

  const CallSite &Site;
  const SiteFacts &Facts;
  const TemplateFunction &Function;
  const TemplateRow &General; ///< the row that requires nothing
  SmallVector<Blocker, 2> Found;
};

} // namespace

SmallVector<Blocker, 2> Finder::find() {
  if (all_of(General.Cells, [](StringRef Cell) { return Cell == OrdinaryCell; }))
    return {Blocker{Blocker::NoTemplate}};
  const SmallVector<Transfer, 2> Sides = transfersOf(*Site.Function);
  for (auto [Side, Roles, Known] : enumerate(Sides, Facts.Transfers)) {
    findInPeer(Side, Known);
    if (Roles.Datatype)
      findInData(Side, Roles, Known);
  }
  if (Site.Function->find(Role::Op))
    findInOperation();
  llvm::sort(Found, [](const Blocker &L, const Blocker &R) {
    return std::tie(L.K, L.Side) < std::tie(R.K, R.Side);
  });
  return std::move(Found);
}

void Finder::findInPeer(unsigned Side, const TransferFacts &Known) {
  if (Known.PeerIsNull)
    add(Blocker::NullPeer, Side);
  else if (Known.PeerIsWildcard && !Function.TakesWildcards)
    add(Blocker::WildcardSource, Side);
  if (Known.hasAnyTag() && !Function.TakesWildcards)
    add(Blocker::WildcardTag, Side);
}

void Finder::findInData(unsigned Side, const Transfer &Roles, const TransferFacts &Known) {
  if (Known.ContiguousInEachCopy && Roles.isMessage())
    return; // the user's compiler determines the size in each copy, and the template tests it
  if (!Known.Contiguous)
    add(Blocker::UnknownDatatype, Side);
  else
    findInSize(Side, Roles, Known);
}

/// A message without data is still sent. A collective operation without data moves nothing.
void Finder::findInSize(unsigned Side, const Transfer &Roles, const TransferFacts &Known) {
  bool IsEmpty = Known.Bytes.K == Answer::Constant && Known.Bytes.Low == 0;
  if (Known.DatatypeSize == 0u || (IsEmpty && !Roles.isMessage()))
    add(Blocker::NoData, Side);
  else if (isLong(Site, Facts) && (General.cell(SizeClass::Long) == OrdinaryCell ||
                                   Known.PeerIsWildcard || Known.hasAnyTag()))
    add(Blocker::LongMessage, Side);
}

void Finder::findInOperation() {
  const TransferFacts &Known = Facts.Transfers.front();
  if (!Facts.Op.isKnown())
    add(Blocker::UnknownOperation);
  else if (Known.Contiguous &&
           !templatesCombine(Facts.Op.Name, Known.Datatype.Name, *Known.DatatypeSize))
    add(Blocker::OtherArithmetic);
}

SmallVector<Blocker, 2> blockersOf(const CallSite &Site, const SiteFacts &Facts) {
  return Finder(Site, Facts).find();
}

/// Does the message need several cells of a lane, and is their number no constant?
static bool hasSeveralCells(const Transfer &Roles, const TransferFacts &Known) {
  return !Roles.Receives && Known.Bytes.K == Answer::Range &&
         Known.Bytes.Low > mpispec_cell_payload;
}

bool isLong(const CallSite &Site, const SiteFacts &Facts) {
  if (Facts.Transfers.empty())
    return false;
  const TransferFacts &First = Facts.Transfers.front(); // the sending side of an exchange
  const Transfer Roles = transfersOf(*Site.Function).front();
  return First.Contiguous && (templateFunction(Site.Function->Name).isExceededBy(First) ||
                              hasSeveralCells(Roles, First));
}

} // namespace mpispec
