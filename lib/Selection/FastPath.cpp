//===- FastPath.cpp - Does a call ever take its template's fast path? -------------------------===//
#include "Selection/FastPath.h"
#include "Selection/Reductions.h"
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
  Finder(const CallSite &Site, const SiteFacts &Facts) : Site(Site), Facts(Facts) {}
  SmallVector<Blocker, 2> find();

private:
  void findInMessage(unsigned Side, const TransferFacts &Known);
  void findInSize(unsigned Side, const TransferFacts &Known);
  void findInCollective();
  void findInOperation(const TransferFacts &Known);
  void add(Blocker::Kind K, unsigned Side = 0) { Found.push_back({K, Side}); }

  const CallSite &Site;
  const SiteFacts &Facts;
  SmallVector<Blocker, 2> Found;
};

} // namespace

static bool isKnown(const TransferFacts &T) { return T.Contiguous && T.DatatypeSize; }

SmallVector<Blocker, 2> Finder::find() {
  switch (Site.Function->Kind) {
  case FunctionKind::Send:
  case FunctionKind::Recv:
  case FunctionKind::SendRecv:
    for (auto [Side, Known] : enumerate(Facts.Transfers))
      findInMessage(Side, Known);
    break;
  case FunctionKind::Collective:
    findInCollective();
    break;
  case FunctionKind::Probe:
    if (Facts.Transfers.front().PeerIsNull)
      add(Blocker::NullPeer);
    break;
  default: // a completion finds out from its requests when it runs
    break;
  }
  llvm::sort(Found, [](const Blocker &L, const Blocker &R) {
    return std::tie(L.K, L.Side) < std::tie(R.K, R.Side);
  });
  return std::move(Found);
}

bool hasAnyTag(const TransferFacts &Known) {
  return Known.Tag.K == Answer::Handle; // the only tag that has a name
}

void Finder::findInMessage(unsigned Side, const TransferFacts &Known) {
  const bool TakesWildcards = Site.Function->Name == "Recv";
  if (Known.PeerIsNull)
    add(Blocker::NullPeer, Side);
  else if (Known.PeerIsWildcard && !TakesWildcards)
    add(Blocker::WildcardSource, Side);
  if (hasAnyTag(Known) && !TakesWildcards)
    add(Blocker::WildcardTag, Side);
  if (Known.ContiguousInEachCopy)
    return; // the user's compiler knows each copy's size, and the template tests it
  if (!isKnown(Known))
    add(Blocker::UnknownDatatype, Side);
  else
    findInSize(Side, Known);
}

/// Is it a synchronous message too long for the one cell that its bytes travel in?
static bool isLongHandshake(const CallSite &Site, const TransferFacts &Known) {
  return is_contained({"Ssend", "Issend"}, Site.Function->Name) &&
         Known.Bytes.K == Answer::Constant && Known.Bytes.Low > mpispec_more_payload;
}

/// Are they several cells, and how many is not a constant?
static bool hasSeveralCells(const Transfer &Roles, const TransferFacts &Known) {
  return !Roles.Receives && Known.Bytes.K == Answer::Range &&
         Known.Bytes.Low > mpispec_cell_payload;
}

bool isLong(const CallSite &Site, const SiteFacts &Facts) {
  bool IsExchange = Site.Function->Kind == FunctionKind::SendRecv;
  return any_of(zip(transfersOf(*Site.Function), Facts.Transfers), [&](const auto &Side) {
    const auto &[Roles, Known] = Side;
    if (IsExchange && Roles.Receives) // what comes into a large buffer may be short
      return false;
    if (Site.Function->Name == "Irecv")
      return isKnown(Known) && Known.Bytes.K != Answer::Unknown &&
             Known.Bytes.Low > mpispec_eager_bytes;
    return isKnown(Known) && (Known.Size == SizeClass::Long || isLongHandshake(Site, Known) ||
                              hasSeveralCells(Roles, Known));
  });
}

void Finder::findInSize(unsigned Side, const TransferFacts &Known) {
  if (Known.DatatypeSize == 0u)
    add(Blocker::NoData, Side);
  else if (isLong(Site, Facts) && (Known.PeerIsWildcard || hasAnyTag(Known)))
    add(Blocker::LongMessage, Side);
}

void Finder::findInCollective() {
  if (Facts.Transfers.empty()) // a Barrier has no data
    return;
  if (Facts.Transfers.size() > 1) // Alltoall, Allgather
    return add(Blocker::NoTemplate);
  const TransferFacts &Known = Facts.Transfers.front();
  if (!isKnown(Known))
    add(Blocker::UnknownDatatype);
  else if (Known.DatatypeSize == 0u || (Known.Bytes.K == Answer::Constant && Known.Bytes.Low == 0))
    add(Blocker::NoData);
  else if (Known.Size == SizeClass::Long ||
           (Known.Bytes.K != Answer::Unknown && Known.Bytes.Low > mpispec_slot_payload))
    add(Blocker::LongMessage);
  if (Site.Function->find(Role::Op))
    findInOperation(Known);
}

void Finder::findInOperation(const TransferFacts &Known) {
  if (!Facts.Op.isKnown())
    add(Blocker::UnknownOperation);
  else if (isKnown(Known) &&
           !templatesCombine(Facts.Op.Name, Known.Datatype.Name, *Known.DatatypeSize))
    add(Blocker::OtherArithmetic);
}

SmallVector<Blocker, 2> blockersOf(const CallSite &Site, const SiteFacts &Facts) {
  return Finder(Site, Facts).find();
}

/// Only an exchange looks whether the caller exchanges with itself.
bool remoteMatters(const FunctionInfo &F) { return F.Kind == FunctionKind::SendRecv; }

} // namespace mpispec
