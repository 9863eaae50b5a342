//===- Mistakes.cpp - Proven mistakes in arguments --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A false alarm on a correct program costs more than a missed mistake. Therefore a warning is given
// only for a mistake that holds in every executable copy of a call.
//
//===------------------------------------------------------------------------------------------===//
#include "Facts/Mistakes.h"
#include "MPI/Datatypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace mpispec {

/// The value of \p A, such as "-1". For a range, \p Otherwise, such as "negative".
static std::string valueOr(const Answer &A, StringRef Otherwise) {
  return A.K == Answer::Constant ? std::to_string(A.Low) : Otherwise.str();
}

/// Adds a warning unless it exists already, because both sides of a call may have the same mistake.
static void warn(SiteFacts &Facts, std::string Message) {
  if (none_of(Facts.Warnings, [&](const ArgumentWarning &W) { return W.Message == Message; }))
    Facts.Warnings.push_back({std::move(Message)});
}

/// Warns if the buffer's elements are plain numbers of another size than the datatype's.
static void warnAboutElement(const CallSite &Site, const Transfer &Side, const TransferFacts &T,
                             SiteFacts &Facts) {
  const DatatypeInfo *Datatype = lookUpDatatype(T.Datatype.Name);
  std::optional<unsigned> Buffer = Side.Buffer ? Site.Function->find(*Side.Buffer) : std::nullopt;
  if (!Datatype || Datatype->Class != DatatypeClass::Arithmetic || !T.DatatypeSize || !Buffer)
    return;
  unsigned Element = Site.Spellings[*Buffer].ElementSize;
  if (Element && Element != *T.DatatypeSize)
    warn(Facts, ("elements of '" + Twine(Site.Arguments[*Buffer]) + "' have " + Twine(Element) +
                 " bytes, but " + T.Datatype.Name + " has " + Twine(*T.DatatypeSize))
                    .str());
}

static bool isIntracommunicator(const SiteFacts &Facts) {
  return Facts.Comm.Name == "MPI_COMM_WORLD" || Facts.Comm.Name == "MPI_COMM_SELF";
}

void warnAboutTransfer(const CallSite &Site, unsigned Index, const MistakeAnswers &Answers,
                       SiteFacts &Facts) {
  const Transfer Side = transfersOf(*Site.Function)[Index];
  const TransferFacts &T = Facts.Transfers[Index];
  auto Warn = [&](const Twine &Message) { warn(Facts, Message.str()); };
  if (T.PeerIsNull) // which makes all other arguments meaningless
    return;
  bool IsIntra = isIntracommunicator(Facts);
  if (Answers.PeerIsTooLarge && IsIntra)
    Warn(text(*Side.Peer) + " is not below the size of " + Facts.Comm.Name);
  if (Answers.RootIsTooLarge && Facts.Comm.Name == "MPI_COMM_WORLD")
    Warn("root is not below the size of MPI_COMM_WORLD");
  if (!Answers.IsSignificant && !Site.Function->find(Role::Count))
    return;
  bool IsEmpty = T.Count.K == Answer::Constant && T.Count.Low == 0;
  if (T.DatatypeIsNull && !IsEmpty)
    Warn(text(*Side.Datatype) + " is MPI_DATATYPE_NULL");
  if (Answers.CountIsNegative)
    Warn(text(*Side.Count) + " is " + valueOr(T.Count, "negative") +
         " in every execution of this call");
  // A range of negative tags of a receive may hold MPI_ANY_TAG.
  if (Answers.TagIsNegative && T.Tag.K != Answer::Handle &&
      (T.Tag.K == Answer::Constant || !Side.Receives))
    Warn(text(*Side.Tag) + " is " + valueOr(T.Tag, "negative") +
         " in every execution of this call");
  // A range of negative peers may hold a named constant; only a value that is known is a mistake.
  if (Answers.PeerIsNegative && T.Peer.K == Answer::Constant)
    Warn(text(*Side.Peer) + " is " + Twine(T.Peer.Low) +
         ", which is neither a rank nor a named constant of MPI");
  if (Answers.Overruns)
    Warn("the call describes " +
         (T.Bytes.K == Answer::Constant ? Twine(T.Bytes.Low).str() + " bytes"
                                        : std::string("more bytes")) +
         ", more than the buffer object has");
  if (!IsEmpty)
    warnAboutElement(Site, Side, T, Facts);
}

//===- Communicator, root, operation, requests ------------------------------------------------===//

static bool communicates(const CallSite &Site) {
  switch (Site.Function->Kind) {
  case FunctionKind::Send:
  case FunctionKind::Recv:
  case FunctionKind::SendRecv:
  case FunctionKind::Probe:
  case FunctionKind::Collective:
    return true;
  default:
    return false;
  }
}

/// Warns about a root that is valid only for intercommunicators, or that is no rank of the
/// communicator.
static void warnAboutRoot(const SiteFacts &Facts, function_ref<void(const Twine &)> Warn) {
  StringRef Comm = Facts.Comm.Name;
  bool IsIntra = isIntracommunicator(Facts);
  const Answer &Root = Facts.Root;
  if (Root.K == Answer::Handle && IsIntra)
    Warn("root is " + Root.Name + ", which only an intercommunicator takes");
  else if (Root.K == Answer::Constant && Root.Low < 0)
    Warn("root is " + Twine(Root.Low) + ", which is neither a rank nor a named constant of MPI");
  else if ((Root.K == Answer::Constant || Root.K == Answer::Range) && Root.Low > 0 &&
           Comm == "MPI_COMM_SELF")
    Warn("root is not 0, the only rank of MPI_COMM_SELF");
}

/// Does MPI define the operation for elements of the class (MPI-4.0, section 6.9.2 and table 6.4)?
/// In case of doubt the answer is yes, because libraries support more types than the standard. For
/// example, MPICH supports MPI_LAND for floats.
static bool isDefined(StringRef Op, const DatatypeInfo &Datatype) {
  bool IsLocation = Op == "MPI_MAXLOC" || Op == "MPI_MINLOC";
  bool IsOrder = Op == "MPI_MAX" || Op == "MPI_MIN";
  bool IsBitwise = Op == "MPI_BAND" || Op == "MPI_BOR" || Op == "MPI_BXOR";
  bool IsFloating = is_contained({"float", "double", "long double"}, Datatype.CType);
  switch (Datatype.Class) {
  case DatatypeClass::Pair:
    return IsLocation;
  case DatatypeClass::Complex:
    return !(IsOrder || IsBitwise || IsLocation);
  case DatatypeClass::Arithmetic:
    return !IsLocation && !(IsBitwise && IsFloating);
  case DatatypeClass::Bytes:
    return !IsLocation;
  }
  llvm_unreachable("unknown class of datatypes");
}

static void warnAboutOperation(const SiteFacts &Facts, function_ref<void(const Twine &)> Warn) {
  StringRef Op = Facts.Op.Name;
  if (Facts.Op.K != Answer::Handle)
    return;
  if (Op == "MPI_OP_NULL" || Op == "MPI_REPLACE" || Op == "MPI_NO_OP")
    return Warn("operation is " + Op + ", which reduces nothing");
  for (const TransferFacts &T : Facts.Transfers)
    if (const DatatypeInfo *Datatype = lookUpDatatype(T.Datatype.Name))
      if (!isDefined(Op, *Datatype))
        return Warn(Op + " is not defined for " + Datatype->Name);
}

void warnAboutCall(const CallSite &Site, SiteFacts &Facts) {
  auto Warn = [&](const Twine &Message) { warn(Facts, Message.str()); };
  if (communicates(Site) && Facts.Comm.Name == "MPI_COMM_NULL")
    Warn("communicator is MPI_COMM_NULL");
  if (Site.Function->Kind == FunctionKind::Collective) {
    warnAboutRoot(Facts, Warn);
    warnAboutOperation(Facts, Warn);
  }
  if (Facts.RequestsAreMissing)
    Warn("the array of requests is null, but its count is not 0");
}

} // namespace mpispec
