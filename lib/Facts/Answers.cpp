//===- Answers.cpp - Facts from the optimizer's answers ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/Answers.h"
#include "Facts/Demands.h"
#include "Facts/JoinedSite.h"
#include "Facts/Mistakes.h"
#include "Facts/Model.h"
#include "Facts/Predictions.h"
#include "Facts/SideMistakes.h"
#include "Frontend/CallSiteCollector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace mpispec {

namespace {

/// Makes the facts of one site from the joined answers of its copies.
class Reader {
public:
  Reader(const CallSite &Site, const Handles &Values, const JoinedSite &Joined)
      : Site(Site), Values(Values), Joined(Joined) {}
  SiteFacts read();

private:
  void readTransfer(unsigned Index, const Transfer &Side);
  void readBytes(TransferFacts &T, const JoinedTransfer &J);
  void readNode(TransferFacts &T, const JoinedTransfer &J, const Transfer &Side);
  void readMistakes(unsigned Index, const JoinedTransfer &J);
  Answer integer(const JoinedValue &J, std::optional<Role> R, ArrayRef<StringRef> Names = {});
  Answer handle(const JoinedValue &J, Role R, NamedConstant::Kind Kind);
  Answer datatype(const JoinedTransfer &J, std::optional<Role> R);
  std::string origin(std::optional<Role> R, bool IsRange) const;
  void notePartial(const JoinedValue &J, Role R);
  void predict(const JoinedValue &J, std::optional<Role> R);
  bool readConstant(const Constant &Value, Role R, CountedValue &Result) const;

  const CallSite &Site;
  const Handles &Values;
  const JoinedSite &Joined;
  SiteFacts Facts;
};

/// The reason why the argument's value is proven, as far as its spelling shows it.
std::string Reader::origin(std::optional<Role> R, bool IsRange) const {
  std::optional<unsigned> Index = R ? Site.Function->find(*R) : std::nullopt;
  if (!Index)
    return "optimizer";
  const Spelling &S = Site.Spellings[*Index];
  switch (S.K) {
  case Spelling::Constant:
    return S.Text;
  case Spelling::Parameter:
    return (IsRange ? "callers of and conditions on '" : "all callers agree on '") + S.Text + "'";
  case Spelling::Static:
    return (IsRange ? "stores to and conditions on '" : "static '") + S.Text +
           (IsRange ? "'" : "' never has another value here");
  case Spelling::Local:
    return (IsRange ? "conditions on and loop bounds of '" : "every value of '") + S.Text + "'";
  case Spelling::Expression:
    return (IsRange ? "range of '" : "value of '") + S.Text + "'";
  }
  llvm_unreachable("unknown kind of spelling");
}

void Reader::notePartial(const JoinedValue &J, Role R) {
  const std::pair<const int64_t, unsigned> *Most = nullptr;
  for (const auto &Entry : J.Constants)
    if (!Most || Entry.second > Most->second)
      Most = &Entry;
  if (Most && Joined.Copies > 1)
    Facts.Partial.push_back((Twine(text(R)) + " is " + Twine(Most->first) + " in " +
                             Twine(Most->second) + " of " + Twine(Joined.Copies) + " copies")
                                .str());
}

/// Reads the constant \p Value as an argument with role \p R. Returns false if it is no prediction.
bool Reader::readConstant(const Constant &Value, Role R, CountedValue &Result) const {
  Answer &A = Result.Value;
  if (R == Role::Comm || R == Role::Op) {
    A.Name = Values.name(R == Role::Op ? NamedConstant::Op : NamedConstant::Comm, &Value).str();
  } else if (const DatatypeInfo *Datatype = Values.datatype(&Value);
             Datatype &&
             (R == Role::Datatype || R == Role::SendDatatype || R == Role::RecvDatatype)) {
    A.Name = Datatype->Name.str();
    if (Datatype->Class != DatatypeClass::Pair)
      Result.ElementBytes = Values.size(*Datatype);
  }
  if (!A.Name.empty()) {
    A.K = Answer::Handle;
    A.Bits = handleBits(Value);
    return !A.Bits.empty();
  }
  auto *Number = dyn_cast<ConstantInt>(&Value);
  bool IsCount = R == Role::Count || R == Role::SendCount || R == Role::RecvCount;
  if (!Number || !IsCount || Number->getBitWidth() > 64 || Number->isNegative())
    return false;
  A.K = Answer::Constant;
  A.Low = A.High = Number->getSExtValue();
  return true;
}

/// Predicts the argument with role \p R from its values in some copies, or on some paths to the
/// call.
void Reader::predict(const JoinedValue &J, std::optional<Role> R) {
  if (!R || !J.Seen || J.Shares.size() < 2)
    return;
  std::vector<CountedValue> Seen;
  double Others = 0;
  for (const auto &[Value, Share] : J.Shares) {
    CountedValue Counted;
    Counted.Count = Share;
    if (!Value || !readConstant(*Value, *R, Counted)) {
      Others += Share;
      continue;
    }
    Counted.Value.Origin = Joined.Copies > 1
                               ? "in some of " + utostr(Joined.Copies) + " copies"
                               : "one of " + utostr(J.Shares.size()) + " values of '" +
                                     Site.Spellings[*Site.Function->find(*R)].Text + "'";
    Seen.push_back(std::move(Counted));
  }
  if (const Answer *Proven = answerOf(*Site.Function, Facts, *R); Proven && !Proven->isKnown())
    addPredictions(Facts, *R, PredictionSource::Copies, std::move(Seen), Others);
}

/// \p Names are the named constants that the argument may be: MPI_ANY_SOURCE for a peer.
Answer Reader::integer(const JoinedValue &J, std::optional<Role> R, ArrayRef<StringRef> Names) {
  Answer A;
  if (!J.Seen || J.Hull.isFullSet() || J.Hull.isEmptySet())
    return A;
  A.Low = J.Hull.getSignedMin().getSExtValue();
  A.High = J.Hull.getSignedMax().getSExtValue();
  A.K = A.Low == A.High ? Answer::Constant : Answer::Range;
  if (Model::isOfLargestGroup(A.High))
    A.High = INT32_MAX;
  // A range of all values of an int is no fact.
  if (A.K == Answer::Range && A.Low <= INT32_MIN && A.High >= INT32_MAX)
    return Answer();
  if (A.K == Answer::Range && R)
    notePartial(J, *R);
  for (StringRef Name : Names)
    if (A.K == Answer::Constant && J.Handle && J.Handle == Values.value(Name)) {
      A.K = Answer::Handle;
      A.Name = Name.str();
    }
  A.Origin = origin(R, A.K == Answer::Range);
  return A;
}

Answer Reader::handle(const JoinedValue &J, Role R, NamedConstant::Kind Kind) {
  Answer A;
  StringRef Name = J.Handle ? Values.name(Kind, J.Handle) : StringRef();
  if (Name.empty())
    return A;
  A.K = Answer::Handle;
  A.Name = Name.str();
  A.Bits = handleBits(*J.Handle);
  A.Origin = origin(R, false);
  return A;
}

Answer Reader::datatype(const JoinedTransfer &J, std::optional<Role> R) {
  Answer A;
  const Constant *Handle = J.Datatype.Handle;
  if (const DatatypeInfo *Datatype = Handle ? Values.datatype(Handle) : nullptr) {
    A.K = Answer::Handle;
    A.Name = Datatype->Name.str();
    A.Bits = handleBits(*Handle);
  } else if (J.IsDerived == JoinedAnswer::Yes) {
    A.K = Answer::Derived;
  }
  if (A.K != Answer::Unknown)
    A.Origin = origin(R, false);
  return A;
}

/// A correct program's counts are not negative (MPI-4.0, section 3.2.2). A count that is proven to
/// be negative is kept, so that it can be reported. A range from 0 to nearly the largest int is no
/// fact.
static Answer nonNegative(Answer A) {
  if (A.K != Answer::Range || A.High < 0)
    return A;
  A.Low = std::max<int64_t>(A.Low, 0);
  if (A.Low == A.High)
    A.K = Answer::Constant;
  return A.Low == 0 && !A.isBoundedAbove() ? Answer() : A;
}

void Reader::readBytes(TransferFacts &T, const JoinedTransfer &J) {
  if (const DatatypeInfo *Datatype = lookUpDatatype(T.Datatype.Name)) {
    T.DatatypeSize = Values.size(*Datatype);
    T.Contiguous = Datatype->Class != DatatypeClass::Pair && T.DatatypeSize.has_value();
  }
  auto IsContiguous = [&](const Constant *V) {
    const DatatypeInfo *D = V ? Values.datatype(V) : nullptr;
    return D && D->Class != DatatypeClass::Pair;
  };
  T.ContiguousInEachCopy =
      J.Datatype.Handles.size() > 1 && all_of(J.Datatype.Handles, IsContiguous);
  T.Bytes = nonNegative(integer(J.Bytes, std::nullopt));
  if (T.Bytes.K == Answer::Range && T.Bytes.High > int64_t(INT32_MAX) * 16)
    T.Bytes = Answer(); // the bound is larger than any message and is no fact
  if (J[TransferQuestion::IsShort] == JoinedAnswer::Yes)
    T.Size = SizeClass::Short;
  else if (J[TransferQuestion::IsLong] == JoinedAnswer::Yes)
    T.Size = SizeClass::Long;
  if (T.Size == SizeClass::Dynamic)
    return;
  T.SizeOrigin = T.Bytes.K == Answer::Constant
                     ? text(T.Bytes) + " bytes"
                     : (T.Count.Origin.empty() ? "conditions" : T.Count.Origin);
  T.Bytes.Origin = T.SizeOrigin;
}

void Reader::readNode(TransferFacts &T, const JoinedTransfer &J, const Transfer &Side) {
  T.PeerIsNull = J[TransferQuestion::PeerIsNull] == JoinedAnswer::Yes;
  JoinedAnswer Wildcard = J[TransferQuestion::PeerIsWildcard];
  T.PeerIsWildcard = Side.Receives && Wildcard == JoinedAnswer::Yes;
  T.PeerMayBeWildcard = Side.Receives && Wildcard != JoinedAnswer::No;
  if (T.PeerIsNull || T.PeerMayBeWildcard)
    return; // MPI_PROC_NULL is no process, and MPI_ANY_SOURCE may be any
  if (J[TransferQuestion::PeerIsSelf] == JoinedAnswer::Yes)
    T.Node = NodeClass::Local;
  else if (J[TransferQuestion::PeerIsSelf] == JoinedAnswer::No)
    T.Node = NodeClass::Remote;
  if (T.Node != NodeClass::Dynamic)
    T.NodeOrigin = (T.Node == NodeClass::Local ? "peer is rank(" : "peer is never rank(") +
                   Site.Arguments[*Site.Function->find(Role::Comm)] + ")";
}

void Reader::readMistakes(unsigned Index, const JoinedTransfer &J) {
  auto Yes = [&](TransferQuestion Q) { return J[Q] == JoinedAnswer::Yes; };
  MistakeAnswers Answers;
  Answers.CountIsNegative = Yes(TransferQuestion::CountIsNegative);
  Answers.TagIsNegative = Yes(TransferQuestion::TagIsNegative);
  Answers.PeerIsNegative = Yes(TransferQuestion::PeerIsNegative);
  Answers.Overruns = Yes(TransferQuestion::Overruns);
  Answers.PeerIsTooLarge = Yes(TransferQuestion::PeerIsTooLarge);
  Answers.RootIsTooLarge = Yes(TransferQuestion::RootIsTooLarge);
  Answers.IsSignificant = J.IsSignificant == JoinedAnswer::Yes;
  warnAboutTransfer(Site, Index, Answers, Facts);
}

void Reader::readTransfer(unsigned Index, const Transfer &Side) {
  const JoinedTransfer &J = Joined.Transfers[Index];
  TransferFacts &T = Facts.Transfers[Index];
  T.Count = nonNegative(integer(J.Count, Side.Count));
  T.Datatype = datatype(J, Side.Datatype);
  T.DatatypeIsNull =
      J.Datatype.Handle && !Values.name(NamedConstant::Datatype, J.Datatype.Handle).empty();
  static const StringRef SendPeers[] = {"MPI_PROC_NULL"};
  static const StringRef RecvPeers[] = {"MPI_PROC_NULL", "MPI_ANY_SOURCE"};
  static const StringRef RecvTags[] = {"MPI_ANY_TAG"};
  T.Peer = integer(J.Peer, Side.Peer, Side.Receives ? ArrayRef(RecvPeers) : ArrayRef(SendPeers));
  T.Tag = integer(J.Tag, Side.Tag, Side.Receives ? ArrayRef(RecvTags) : ArrayRef<StringRef>());
  readBytes(T, J);
  if (Side.Peer)
    readNode(T, J, Side);
  predict(J.Datatype, Side.Datatype);
  predict(J.Count, Side.Count);
  readMistakes(Index, J);
}

SiteFacts Reader::read() {
  Facts.Site = Site.Number;
  Facts.Copies = Joined.Copies;
  Facts.Runs = Joined.Runs;
  SmallVector<Transfer, 2> Sides = transfersOf(*Site.Function);
  Facts.Transfers.resize(Sides.size());
  if (!Joined.Copies)
    return Facts;
  Facts.Comm = handle(Joined.Comm, Role::Comm, NamedConstant::Comm);
  Facts.Op = handle(Joined.Op, Role::Op, NamedConstant::Op);
  if (Site.Function->find(Role::Comm))
    predict(Joined.Comm, Role::Comm);
  if (Site.Function->find(Role::Op))
    predict(Joined.Op, Role::Op);
  static const StringRef Roots[] = {"MPI_ROOT", "MPI_PROC_NULL"};
  Facts.Root = integer(Joined.Root, Role::Root, Roots);
  Facts.StatusIgnored =
      Joined.Status.Handle && !Values.name(NamedConstant::Status, Joined.Status.Handle).empty();
  Facts.StatusUnread = Site.StatusUnread && !Site.ReadOtherwise;
  for (unsigned I = 0; I < Sides.size(); ++I)
    readTransfer(I, Sides[I]);
  Facts.RequestsAreMissing = Joined.Requests.Handle && Joined.Requests.Handle->isNullValue() &&
                             integer(Joined.RequestCount, Role::RequestCount).Low > 0;
  warnAboutCall(Site, Facts);
  for (const std::string &Message : Joined.Mistakes.Common)
    Facts.Warnings.push_back({Message});
  return Facts;
}

} // namespace

std::vector<SiteFacts> readAnswers(Module &M, ArrayRef<CallSite> Sites, const Handles &Values,
                                   FunctionAnalysisManager &Analyses) {
  std::vector<SiteFacts> Result;
  Repetitions Runs(Analyses);
  for (const CallSite &Site : Sites) {
    SiteJoin Copies(Site, Values, Analyses, Runs);
    bool OnlyCalled = true;
    if (Function *F = M.getFunction((SiteFunctionPrefix + Twine(Site.Number)).str()))
      for (User *U : F->users()) {
        auto *Call = dyn_cast<CallBase>(U);
        if (Call && Call->getCalledOperand() == F)
          Copies.add(*Call);
        else
          OnlyCalled = false;
      }
    Result.push_back(Reader(Site, Values, OnlyCalled ? Copies.Result : Copies.nothing()).read());
  }
  return Result;
}

/// The function that the copies of the watched \p Call call. For a query of rank or size it is
/// `mpispec.witness.N` (Model.h).
static Function *watchedFunction(Module &M, const CallSite &Call) {
  if (Function *Witness = M.getFunction(("mpispec.witness." + Twine(Call.Number)).str()))
    return Witness;
  return M.getFunction((WatchedFunctionPrefix + Twine(Call.Number)).str());
}

std::vector<std::vector<ArgumentWarning>> readWarnings(Module &M, ArrayRef<CallSite> Watched,
                                                       const Handles &Values,
                                                       FunctionAnalysisManager &Analyses) {
  std::vector<std::vector<ArgumentWarning>> Result(Watched.size());
  for (const CallSite &Site : Watched) {
    Function *F = watchedFunction(M, Site);
    JoinedMessages Joined;
    for (User *U : F ? F->users() : iterator_range<Value::user_iterator>({}, {})) {
      std::vector<std::string> Mistakes;
      if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledOperand() == F) {
        CallCopy Copy(Site, *Call, Values, Analyses);
        findBrokenDemands(Copy, Mistakes);
        findSideMistakes(Copy, Mistakes);
      }
      Joined.add(Mistakes);
    }
    for (const std::string &Message : Joined.Common)
      Result[Site.Number].push_back({Message});
  }
  return Result;
}

} // namespace mpispec
