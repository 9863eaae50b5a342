//===- SideMistakes.cpp - Mistakes in the buffers of a call -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/SideMistakes.h"
#include "Facts/HandleLives.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace mpispec {

namespace {

/// A buffer, and the arguments that describe its contents.
struct Side {
  Role Buffer;
  std::optional<Role> Count, Datatype;
};

class SideChecker {
public:
  SideChecker(const CallCopy &Copy, std::vector<std::string> &Messages)
      : Copy(Copy), Messages(Messages) {}
  void check();

private:
  void checkWindow();
  void checkNull(const Side &S);
  void checkInPlace(const Side &S);
  void checkSame(const Side &Send, const Side &Recv);
  void checkAmounts(const Side &Send, const Side &Recv);
  std::optional<Side> side(Role Buffer, Role Count, Role Datatype) const;
  bool mayBeInPlace(Role Buffer) const;
  /// Has the side at least one element of a predefined datatype?
  bool hasElements(const Side &S) const {
    return Copy.datatype(S.Datatype) && Copy.isPositive(Copy.argument(S.Count));
  }
  std::optional<uint64_t> bytes(const Side &S) const;
  void say(const Twine &Message) { Messages.push_back(Message.str()); }

  const CallCopy &Copy;
  std::vector<std::string> &Messages;
};

/// The two sides of a reduction share count and datatype.
std::optional<Side> SideChecker::side(Role Buffer, Role Count, Role Datatype) const {
  if (!Copy.F.find(Buffer))
    return std::nullopt;
  auto Or = [&](Role Own, Role Shared) {
    return Copy.F.find(Own) ? std::optional(Own)
                            : (Copy.F.find(Shared) ? std::optional(Shared) : std::nullopt);
  };
  return Side{Buffer, Or(Count, Role::Count), Or(Datatype, Role::Datatype)};
}

std::optional<uint64_t> SideChecker::bytes(const Side &S) const {
  const DatatypeInfo *Datatype = Copy.datatype(S.Datatype);
  auto *Count = dyn_cast_or_null<ConstantInt>(Copy.argument(S.Count));
  std::optional<uint64_t> Size = Datatype ? Copy.Values.size(*Datatype) : std::nullopt;
  if (!Size || !Count || Count->isNegative() || Count->getBitWidth() > 64)
    return std::nullopt;
  return Count->getZExtValue() * *Size;
}

/// A window without memory has no bytes (MPI-4.0, section 12.2.1).
void SideChecker::checkWindow() {
  if (Copy.F.Name == "Win_create" && Copy.isNull(Copy.argument(Role::Buffer)) &&
      Copy.isPositive(Copy.argument(Role::Length)))
    say("buffer is null, but the window's length is not 0; pass the address of its memory");
}

void SideChecker::checkNull(const Side &S) {
  if (Copy.isNull(Copy.argument(S.Buffer)) && hasElements(S) && isSignificant(Copy, S.Buffer))
    say(text(S.Buffer) + " is null, but its count is not 0; pass the address of the data");
}

bool SideChecker::mayBeInPlace(Role Buffer) const {
  bool Receives = Buffer == Role::RecvBuffer;
  switch (collectiveSides(Copy.F).InPlace) {
  case CollectiveSides::Never:
    return false;
  case CollectiveSides::Send:
    return !Receives;
  case CollectiveSides::SendOfRoot: // other processes do not use the receive buffer
    return Receives ? Copy.Root != RootHere::Yes : Copy.Root != RootHere::No;
  case CollectiveSides::RecvOfRoot:
    return Receives ? Copy.Root != RootHere::No : Copy.Root != RootHere::Yes;
  }
  llvm_unreachable("unknown place");
}

void SideChecker::checkInPlace(const Side &S) {
  if (!Copy.isInPlace(Copy.argument(S.Buffer)) || mayBeInPlace(S.Buffer))
    return;
  if (Copy.F.Kind == FunctionKind::Collective || Copy.isPositive(Copy.argument(S.Count)))
    say(text(S.Buffer) + " is MPI_IN_PLACE, which MPI_" + Copy.F.Name +
        " does not take there; pass the address of the data");
}

void SideChecker::checkSame(const Side &Send, const Side &Recv) {
  Value *Sent = Copy.argument(Send.Buffer), *Received = Copy.argument(Recv.Buffer);
  if (!Sent || !Received || Sent->stripPointerCasts() != Received->stripPointerCasts() ||
      Copy.isNull(Sent) || !hasElements(Send) || !hasElements(Recv))
    return;
  if (Copy.F.Kind == FunctionKind::Collective) {
    if (!takesPart(Copy, Send.Buffer) || !takesPart(Copy, Recv.Buffer))
      return;
    bool InPlace = collectiveSides(Copy.F).InPlace != CollectiveSides::Never;
    say("send and receive buffer are the same; " +
        Twine(InPlace ? "say MPI_IN_PLACE, or use another buffer" : "use another buffer"));
  } else if (Copy.F.Kind == FunctionKind::SendRecv &&
             Copy.isSomebody(Copy.argument(Role::Destination)) &&
             Copy.isSomebody(Copy.argument(Role::Source))) {
    say("send and receive buffer are the same; use MPI_Sendrecv_replace, or another buffer");
  }
}

/// A process receives exactly the data that it sends to itself (MPI-4.0, sections 6.5 to 6.8).
void SideChecker::checkAmounts(const Side &Send, const Side &Recv) {
  if (Copy.F.Kind != FunctionKind::Collective || !Copy.isIntracommunicator() ||
      !isSignificant(Copy, Send.Buffer) || !isSignificant(Copy, Recv.Buffer))
    return;
  std::optional<uint64_t> Sent = bytes(Send), Received = bytes(Recv);
  if (Sent && Received && *Sent != *Received)
    say("each process sends " + Twine(*Sent) + " bytes to each, but receives " + Twine(*Received) +
        " from each; both have to be the same");
}

void SideChecker::check() {
  std::optional<Side> One = side(Role::Buffer, Role::Count, Role::Datatype);
  std::optional<Side> Send = side(Role::SendBuffer, Role::SendCount, Role::SendDatatype);
  std::optional<Side> Recv = side(Role::RecvBuffer, Role::RecvCount, Role::RecvDatatype);
  for (const std::optional<Side> &S : {One, Send, Recv})
    if (S) {
      checkNull(*S);
      checkInPlace(*S);
    }
  checkWindow();
  if (!Send || !Recv)
    return;
  checkSame(*Send, *Recv);
  checkAmounts(*Send, *Recv);
}

} // namespace

/// Does the call read or write the elements of its buffers?
static bool usesBuffers(const FunctionInfo &F) {
  switch (F.Kind) {
  case FunctionKind::Send:
  case FunctionKind::Recv:
  case FunctionKind::SendRecv:
  case FunctionKind::Collective:
  case FunctionKind::OneSided:
  case FunctionKind::File:
    return true;
  case FunctionKind::Other: // Pack, Reduce_local
    return F.find(Role::Count) && F.find(Role::Datatype);
  default:
    return false;
  }
}

/// A derived datatype takes part in communication only after MPI_Type_commit (MPI-4.0,
/// section 5.1.9).
static void findUncommitted(const CallCopy &Copy, std::vector<std::string> &Messages) {
  for (auto [Index, R] : enumerate(Copy.F.Roles)) {
    Value *Datatype =
        is_contained({Role::Datatype, Role::SendDatatype, Role::RecvDatatype, Role::TargetDatatype},
                     R)
            ? Copy.argument(Index)
            : nullptr;
    if (Datatype && isNeverCommitted(Datatype))
      Messages.push_back(
          (text(R) + " is made, but not committed; call MPI_Type_commit first").str());
  }
}

void findSideMistakes(const CallCopy &Copy, std::vector<std::string> &Messages) {
  if (!usesBuffers(Copy.F))
    return;
  SideChecker(Copy, Messages).check();
  if (Copy.F.Kind != FunctionKind::Other)
    findUncommitted(Copy, Messages);
}

} // namespace mpispec
