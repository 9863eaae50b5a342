//===- Mistakes.cpp - Argument mistakes that are proven ---------------------------------------===//
//
// One false alarm on a correct program costs more than a missed mistake: a warning is given only
// for what holds in every copy of a call that can be executed.
//
//===------------------------------------------------------------------------------------------===//
#include "Facts/Mistakes.h"
#include "MPI/Datatypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace mpispec {

/// "-1" or "negative" for a range.
static std::string valueOr(const Answer &A, StringRef Otherwise) {
  return A.K == Answer::Constant ? std::to_string(A.Low) : Otherwise.str();
}

/// Both sides of a call may be wrong in the same way; one warning is enough.
static void warn(SiteFacts &Facts, std::string Message) {
  if (none_of(Facts.Warnings, [&](const ArgumentWarning &W) { return W.Message == Message; }))
    Facts.Warnings.push_back({std::move(Message)});
}

/// The buffer's elements are plain numbers of another size than the datatype's.
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

/// Does MPI read the side's arguments in every process? Not those that only a root needs, and not
/// those that MPI_IN_PLACE replaces; a peer of MPI_PROC_NULL makes all of them meaningless.
static bool isAlwaysSignificant(const CallSite &Site, const TransferFacts &T) {
  if (T.PeerIsNull)
    return false;
  return Site.Function->Kind != FunctionKind::Collective ||
         !(Site.Function->find(Role::SendBuffer) && Site.Function->find(Role::RecvBuffer)) ||
         Site.Function->find(Role::Count);
}

void warnAboutTransfer(const CallSite &Site, unsigned Index, const MistakeAnswers &Answers,
                       SiteFacts &Facts) {
  const Transfer Side = transfersOf(*Site.Function)[Index];
  const TransferFacts &T = Facts.Transfers[Index];
  if (!isAlwaysSignificant(Site, T))
    return;
  auto Warn = [&](const Twine &Message) { warn(Facts, Message.str()); };
  if (Answers.CountIsNegative)
    Warn(text(*Side.Count) + " is " + valueOr(T.Count, "negative") +
         " in every execution of this call");
  if (Answers.TagIsNegative && T.Tag.K != Answer::Handle)
    Warn(text(*Side.Tag) + " is " + valueOr(T.Tag, "negative") +
         " in every execution of this call");
  if (Answers.TagIsAboveBound)
    Warn(text(*Side.Tag) + " is " + valueOr(T.Tag, "above 32767") +
         ", above 32767, the largest tag that every MPI library has to accept");
  // A range of negative peers may hold a named constant; only a value that is known is a mistake.
  if (Answers.PeerIsNegative && T.Peer.K == Answer::Constant)
    Warn(text(*Side.Peer) + " is " + Twine(T.Peer.Low) +
         ", which is neither a rank nor a named constant of MPI");
  if (Answers.Overruns)
    Warn("the call describes " +
         (T.Bytes.K == Answer::Constant ? Twine(T.Bytes.Low).str() + " bytes"
                                        : std::string("more bytes")) +
         ", more than the buffer object has");
  warnAboutElement(Site, Side, T, Facts);
}

} // namespace mpispec
