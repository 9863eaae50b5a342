//===- Answers.cpp - Read what the optimizer found out ----------------------------------------===//
//
// After inlining, unrolling and cloning a site has several calls. What is read from one of them
// says nothing about the text; what holds in all of them does. So every answer is joined over the
// copies: values to their hull, yes and no to unknown.
//
//===------------------------------------------------------------------------------------------===//
#include "Facts/Answers.h"
#include "Facts/Conditions.h"
#include "Facts/Demands.h"
#include "Facts/Folds.h"
#include "Facts/HandleLives.h"
#include "Facts/Mistakes.h"
#include "Facts/Model.h"
#include "Facts/Predictions.h"
#include "Facts/Questions.h"
#include "Facts/Remainders.h"
#include "Facts/Repetition.h"
#include "Facts/SideMistakes.h"
#include "Frontend/CallSiteCollector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"
#include <map>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace mpispec {

namespace {

/// What the copies seen so far agree on about a Boolean.
enum class Agreement : uint8_t { None, Yes, No, Unknown };

void join(Agreement &A, std::optional<bool> Bit) {
  Agreement Now = !Bit ? Agreement::Unknown : *Bit ? Agreement::Yes : Agreement::No;
  A = A == Agreement::None || A == Now ? Now : Agreement::Unknown;
}

/// A call, and what was tested before it.
struct Surroundings {
  CallBase &Call;
  LazyValueInfo &Conditions;
  const DominatorTree &Dominators;
  FunctionAnalysisManager &Analyses;

  Surroundings(CallBase &Call, FunctionAnalysisManager &Analyses)
      : Call(Call), Conditions(Analyses.getResult<LazyValueAnalysis>(*Call.getFunction())),
        Dominators(Analyses.getResult<DominatorTreeAnalysis>(*Call.getFunction())),
        Analyses(Analyses) {}
  /// What is known of variables of loops.
  ScalarEvolution &loops() const {
    return Analyses.getResult<ScalarEvolutionAnalysis>(*Call.getFunction());
  }
};

/// Is 0 < \p X < \p Bound at the call?
bool isBetween(const SCEV *X, const SCEV *Bound, const Surroundings &At) {
  ScalarEvolution &SE = At.loops();
  return SE.isKnownPredicateAt(ICmpInst::ICMP_SGT, X, SE.getZero(X->getType()), &At.Call) &&
         SE.isKnownPredicateAt(ICmpInst::ICMP_SLT, X, Bound, &At.Call);
}

/// Can \p X, a remainder, not be 0 at the call, because its numerator lies between 0 and its
/// divisor, or, signed, between the divisor's negative and 0?
bool leavesRemainder(Value *X, const Surroundings &At) {
  Value *Numerator, *Divisor;
  bool Signed = match(X, m_SRem(m_Value(Numerator), m_Value(Divisor)));
  if (!Signed && !match(X, m_URem(m_Value(Numerator), m_Value(Divisor))))
    return false;
  ScalarEvolution &SE = At.loops();
  const SCEV *Distance = SE.getSCEV(Numerator), *Bound = SE.getSCEV(Divisor);
  return isBetween(Distance, Bound, At) ||
         (Signed && isBetween(SE.getNegativeSCEV(Distance), Bound, At));
}

/// Do \p X and \p Y, two variables, differ at the call?
bool differAt(Value *X, Value *Y, const Surroundings &At) {
  if (differ(*X, *Y, At.Call, At.Dominators))
    return true;
  ScalarEvolution &SE = At.loops();
  return SE.isSCEVable(X->getType()) && X->getType()->isIntegerTy() &&
         SE.isKnownPredicateAt(ICmpInst::ICMP_NE, SE.getSCEV(X), SE.getSCEV(Y), &At.Call);
}

ConstantRange notNegative(unsigned Bits) {
  return ConstantRange(APInt::getZero(Bits), APInt::getSignedMinValue(Bits));
}

/// What \p V is at the call. The pipeline folds an answer where it is computed; a condition that
/// was tested between there and the call is asked for here.
std::optional<bool> evaluate(Value *V, const Surroundings &At, unsigned Depth = 0) {
  if (auto *Bit = dyn_cast<ConstantInt>(V))
    return Bit->isOne();
  Value *X, *Y;
  auto ValueOf = [&](Value *Operand) { return evaluate(Operand, At, Depth + 1); };
  if (Depth == 4)
    return std::nullopt;
  if (match(V, m_Not(m_Value(X)))) {
    std::optional<bool> Bit = ValueOf(X);
    return Bit ? std::optional(!*Bit) : std::nullopt;
  }
  Value *Condition;
  if (match(V, m_Select(m_Value(Condition), m_Value(X), m_Value(Y))) && !isa<Constant>(X) &&
      !isa<Constant>(Y)) {
    std::optional<bool> L = ValueOf(X), R = ValueOf(Y);
    return L == R ? L : std::nullopt;
  }
  bool And = match(V, m_LogicalAnd(m_Value(X), m_Value(Y)));
  if (And || match(V, m_LogicalOr(m_Value(X), m_Value(Y)))) {
    std::optional<bool> L = ValueOf(X), R = ValueOf(Y);
    if ((L && *L != And) || (R && *R != And)) // one false ends an and, one true an or
      return !And;
    return L && R ? std::optional(And) : std::nullopt;
  }
  auto *Compare = dyn_cast<ICmpInst>(V);
  if (!Compare)
    return std::nullopt;
  CmpInst::Predicate P = Compare->getPredicate();
  X = Compare->getOperand(0);
  Y = Compare->getOperand(1);
  auto *Bound = dyn_cast<ConstantInt>(Y);
  if (!Bound) {
    bool Differ = Compare->isEquality() && differAt(X, Y, At);
    return Differ ? std::optional(P == CmpInst::ICMP_NE) : std::nullopt;
  }
  if (Compare->isEquality() && Bound->isZero() && leavesRemainder(X, At))
    return P == CmpInst::ICMP_NE;
  if (isRemainderOfPositive(X, At.Call, At.loops(), At.Conditions)) {
    ConstantRange Remainder = notNegative(Bound->getBitWidth());
    for (bool Holds : {true, false})
      if (Remainder.icmp(Holds ? P : CmpInst::getInversePredicate(P), Bound->getValue()))
        return Holds;
  }
  Constant *Answer = At.Conditions.getPredicateAt(P, X, Bound, &At.Call, /*UseBlockValue=*/true);
  auto *Bit = dyn_cast_or_null<ConstantInt>(Answer);
  return Bit ? std::optional(Bit->isOne()) : std::nullopt;
}

/// What the copies seen so far agree on about a value.
struct JoinedValue {
  bool Seen = false;
  ConstantRange Hull{64, /*isFullSet=*/true}; ///< of integers, sign-extended to 64 bits
  const Constant *Handle = nullptr;           ///< the one constant of all copies, if there is one
  std::map<int64_t, unsigned> Constants;      ///< how many copies have which constant
  SmallPtrSet<const Constant *, 4> Handles;   ///< the constants of all copies; null: not a constant
  /// How often it may be which constant: each copy counts once, and divides its count among the
  /// values that it can take. Null: no constant.
  SmallMapVector<const Constant *, double, 4> Shares;
};

/// Is \p Meeting a variable of a loop? How often that has its first value is unknown.
bool changesInLoop(const PHINode &Meeting) {
  return any_of(Meeting.incoming_values(), [&](const Value *Way) {
    const auto *Next = dyn_cast<Instruction>(Way);
    return Next && is_contained(Next->operands(), &Meeting);
  });
}

/// Divides \p Share among the values that \p V can take where ways through the program meet.
void addShares(JoinedValue &Joined, const Value *V, double Share, unsigned Depth = 0) {
  constexpr unsigned MostWays = 8, MostSteps = 4;
  SmallVector<const Value *, MostWays> Ways;
  if (const auto *Choice = dyn_cast<SelectInst>(V))
    Ways = {Choice->getTrueValue(), Choice->getFalseValue()};
  else if (const auto *Meeting = dyn_cast<PHINode>(V); Meeting && !changesInLoop(*Meeting))
    Ways.append(Meeting->value_op_begin(), Meeting->value_op_end());
  else if (const auto *Load = dyn_cast<LoadInst>(V))
    for (const Constant *Element : tableElements(*Load))
      Ways.push_back(Element);
  if (Ways.empty() || Ways.size() > 2 * MostWays || Depth == MostSteps) {
    auto *Known = isa<UndefValue>(V) ? nullptr : dyn_cast<Constant>(V);
    Joined.Shares[Known] += Share;
    return;
  }
  for (const Value *Way : Ways)
    addShares(Joined, Way, Share / static_cast<double>(Ways.size()), Depth + 1);
}

/// The messages that all copies seen so far agree on.
class JoinedMessages {
public:
  void add(const std::vector<std::string> &OfCopy) {
    if (!std::exchange(Seen, true))
      Common = OfCopy;
    else
      erase_if(Common, [&](const std::string &Text) { return !is_contained(OfCopy, Text); });
  }
  std::vector<std::string> Common;

private:
  bool Seen = false;
};

struct JoinedTransfer {
  JoinedValue Count, Datatype, Peer, Tag, Bytes;
  Agreement IsSignificant = Agreement::None;
  Agreement IsDerived = Agreement::None; ///< the datatype was made in sight
  Agreement Questions[static_cast<unsigned>(TransferQuestion::Last)] = {};
  Agreement operator[](TransferQuestion Q) const { return Questions[static_cast<unsigned>(Q)]; }
};

struct JoinedSite {
  JoinedValue Comm, Root, Op, Status, Requests, RequestCount;
  SmallVector<JoinedTransfer, 2> Transfers;
  JoinedMessages Mistakes;
  unsigned Copies = 0;
  Repetition Runs = Repetition::Once;
};

/// Joins the copies of one site.
class Joiner {
public:
  Joiner(const CallSite &Site, const Handles &Values, FunctionAnalysisManager &Analyses,
         Repetitions &Runs)
      : Site(Site), Values(Values), Sides(transfersOf(*Site.Function)), Analyses(Analyses),
        Runs(Runs) {
    Result.Transfers.resize(Sides.size());
  }
  void add(const CallBase &Call);
  JoinedSite Result;

  /// The result where a copy cannot be seen: it could be anything.
  JoinedSite nothing() const {
    JoinedSite Unknown;
    Unknown.Transfers.resize(Sides.size());
    Unknown.Copies = 1;
    Unknown.Runs = Repetition::Repeated;
    return Unknown;
  }

private:
  void addTransfer(const PlantedCall &Call, unsigned Index);
  RootHere rootHere(const PlantedCall &Call);
  void addValue(JoinedValue &Joined, Value *V, const CallBase &Call);
  ConstantRange rangeOf(Value *V, const CallBase &Call);

  const CallSite &Site;
  const Handles &Values;
  SmallVector<Transfer, 2> Sides;
  FunctionAnalysisManager &Analyses;
  Repetitions &Runs;
};

ConstantRange Joiner::rangeOf(Value *V, const CallBase &Call) {
  if (auto *Integer = dyn_cast<ConstantInt>(V))
    return ConstantRange(Integer->getValue()).signExtend(64);
  if (isa<Constant>(V)) // undef, poison, a constant expression
    return ConstantRange::getFull(64);
  Function &F = *const_cast<Function *>(Call.getFunction());
  auto *Here = const_cast<CallBase *>(&Call);
  LazyValueInfo &Conditions = Analyses.getResult<LazyValueAnalysis>(F);
  ConstantRange Range = Conditions.getConstantRange(V, Here, /*UndefAllowed=*/false);
  // Induction variables are what scalar evolution knows best.
  if (isa<PHINode, BinaryOperator, CastInst>(V)) {
    ScalarEvolution &SE = Analyses.getResult<ScalarEvolutionAnalysis>(F);
    Range = Range.intersectWith(SE.getSignedRange(SE.getSCEV(V)), ConstantRange::Signed);
    if (isRemainderOfPositive(V, *Here, SE, Conditions))
      Range = Range.intersectWith(notNegative(Range.getBitWidth()), ConstantRange::Signed);
  }
  return Range.getBitWidth() < 64 ? Range.signExtend(64) : Range;
}

void Joiner::addValue(JoinedValue &Joined, Value *V, const CallBase &Call) {
  if (!V)
    return;
  auto *Handle = isa<UndefValue>(V) ? nullptr : dyn_cast<Constant>(V);
  Joined.Handle = !Joined.Seen || Joined.Handle == Handle ? Handle : nullptr;
  Joined.Handles.insert(Handle);
  addShares(Joined, V, 1);
  if (V->getType()->isIntegerTy() && V->getType()->getIntegerBitWidth() <= 64) {
    ConstantRange Range = rangeOf(V, Call);
    Joined.Hull = Joined.Seen ? Joined.Hull.unionWith(Range, ConstantRange::Signed) : Range;
    if (auto *Integer = dyn_cast<ConstantInt>(V))
      ++Joined.Constants[Integer->getSExtValue()];
  }
  Joined.Seen = true;
}

void Joiner::addTransfer(const PlantedCall &Call, unsigned Index) {
  const Transfer &Side = Sides[Index];
  JoinedTransfer &Joined = Result.Transfers[Index];
  auto Value = [&](std::optional<Role> R) { return R ? Call.argument(*R) : nullptr; };
  addValue(Joined.Count, Value(Side.Count), Call.Call);
  addValue(Joined.Datatype, Value(Side.Datatype), Call.Call);
  addValue(Joined.Peer, Value(Side.Peer), Call.Call);
  addValue(Joined.Tag, Value(Side.Tag), Call.Call);
  addValue(Joined.Bytes, Call.bytes(Index), Call.Call);
  if (Side.Datatype)
    join(Joined.IsDerived, isDerived(Value(Side.Datatype)));
  Surroundings Here(const_cast<CallBase &>(Call.Call), Analyses);
  for (unsigned Q = 0; Q < std::size(Joined.Questions); ++Q)
    join(Joined.Questions[Q], evaluate(Call.answer(Index, static_cast<TransferQuestion>(Q)), Here));
}

RootHere Joiner::rootHere(const PlantedCall &Planted) {
  auto &Call = const_cast<CallBase &>(Planted.Call);
  if (Sides.empty() || !Planted.argument(Role::Root))
    return RootHere::Unknown;
  std::optional<bool> IsSelf =
      evaluate(Planted.answer(0, TransferQuestion::RootIsSelf), Surroundings(Call, Analyses));
  if (IsSelf)
    return *IsSelf ? RootHere::Yes : RootHere::No;
  auto *Rank = dyn_cast<ConstantInt>(Planted.argument(Role::Root));
  bool IsRank = Rank && !Rank->isNegative();
  return IsRank && CallCopy(Site, Call, Values, Analyses).isExecutedByAll() ? RootHere::Yes
                                                                            : RootHere::Unknown;
}

void Joiner::add(const CallBase &Base) {
  PlantedCall Call{*Site.Function, Base};
  CallCopy Copy(Site, const_cast<CallBase &>(Base), Values, Analyses, rootHere(Call));
  std::vector<std::string> Mistakes;
  findBrokenDemands(Copy, Mistakes);
  findSideMistakes(Copy, Mistakes);
  Result.Mistakes.add(Mistakes);
  for (unsigned I = 0; I < Sides.size(); ++I)
    join(Result.Transfers[I].IsSignificant,
         !Sides[I].Buffer || isSignificant(Copy, *Sides[I].Buffer));
  addValue(Result.Comm, Call.argument(Role::Comm), Base);
  addValue(Result.Root, Call.argument(Role::Root), Base);
  addValue(Result.Op, Call.argument(Role::Op), Base);
  Value *Status = Call.argument(Role::Status);
  addValue(Result.Status, Status ? Status : Call.argument(Role::Statuses), Base);
  addValue(Result.Requests, Call.argument(Role::Requests), Base);
  addValue(Result.RequestCount, Call.argument(Role::RequestCount), Base);
  for (unsigned I = 0; I < Sides.size(); ++I)
    addTransfer(Call, I);
  ++Result.Copies;
  Result.Runs = std::max(Result.Runs, Runs.of(Base));
}

/// Turns what is joined into facts of one site.
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

/// Where the knowledge about the argument comes from, as far as its spelling tells.
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

/// What the constant \p Value is as an argument with role \p R; false: nothing to be predicted.
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

/// Predicts the argument with role \p R by what it is in some copies, or on some ways to the call.
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
  // A range of all that an int can be says nothing.
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
  } else if (J.IsDerived == Agreement::Yes) {
    A.K = Answer::Derived;
  }
  if (A.K != Answer::Unknown)
    A.Origin = origin(R, false);
  return A;
}

/// A correct program's counts are not negative (MPI-4.0, section 3.2.2); one that is proven to be
/// is reported as it is. A range from 0 to nearly the largest int says nothing.
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
    T.Bytes = Answer(); // more than any message has: the bound says nothing
  if (J[TransferQuestion::IsShort] == Agreement::Yes)
    T.Size = SizeClass::Short;
  else if (J[TransferQuestion::IsLong] == Agreement::Yes)
    T.Size = SizeClass::Long;
  if (T.Size == SizeClass::Dynamic)
    return;
  T.SizeOrigin = T.Bytes.K == Answer::Constant
                     ? text(T.Bytes) + " bytes"
                     : (T.Count.Origin.empty() ? "conditions" : T.Count.Origin);
  T.Bytes.Origin = T.SizeOrigin;
}

void Reader::readNode(TransferFacts &T, const JoinedTransfer &J, const Transfer &Side) {
  T.PeerIsNull = J[TransferQuestion::PeerIsNull] == Agreement::Yes;
  Agreement Wildcard = J[TransferQuestion::PeerIsWildcard];
  T.PeerIsWildcard = Side.Receives && Wildcard == Agreement::Yes;
  T.PeerMayBeWildcard = Side.Receives && Wildcard != Agreement::No;
  if (T.PeerIsNull || T.PeerMayBeWildcard)
    return; // MPI_PROC_NULL is no process, and MPI_ANY_SOURCE may be any
  if (J[TransferQuestion::PeerIsSelf] == Agreement::Yes)
    T.Node = NodeClass::Local;
  else if (J[TransferQuestion::PeerIsSelf] == Agreement::No)
    T.Node = NodeClass::Remote;
  if (T.Node != NodeClass::Dynamic)
    T.NodeOrigin = (T.Node == NodeClass::Local ? "peer is rank(" : "peer is never rank(") +
                   Site.Arguments[*Site.Function->find(Role::Comm)] + ")";
}

void Reader::readMistakes(unsigned Index, const JoinedTransfer &J) {
  auto Yes = [&](TransferQuestion Q) { return J[Q] == Agreement::Yes; };
  MistakeAnswers Answers;
  Answers.CountIsNegative = Yes(TransferQuestion::CountIsNegative);
  Answers.TagIsNegative = Yes(TransferQuestion::TagIsNegative);
  Answers.TagIsAboveBound = Yes(TransferQuestion::TagIsAboveBound);
  Answers.PeerIsNegative = Yes(TransferQuestion::PeerIsNegative);
  Answers.Overruns = Yes(TransferQuestion::Overruns);
  Answers.PeerIsTooLarge = Yes(TransferQuestion::PeerIsTooLarge);
  Answers.RootIsTooLarge = Yes(TransferQuestion::RootIsTooLarge);
  Answers.IsSignificant = J.IsSignificant == Agreement::Yes;
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
    Joiner Copies(Site, Values, Analyses, Runs);
    bool OnlyCalled = true;
    if (Function *F = M.getFunction((SiteFunctionPrefix + Twine(Site.Number)).str()))
      for (const User *U : F->users()) {
        const auto *Call = dyn_cast<CallBase>(U);
        if (Call && Call->getCalledOperand() == F)
          Copies.add(*Call);
        else
          OnlyCalled = false;
      }
    Result.push_back(Reader(Site, Values, OnlyCalled ? Copies.Result : Copies.nothing()).read());
  }
  return Result;
}

/// The function that the copies of the watched \p Call call: the witness that replaced a query of
/// rank or size, else the call's own.
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
