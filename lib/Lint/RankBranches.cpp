//===- RankBranches.cpp - The branches of a condition on the rank -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two branches of `if (rank == 0) ...; else ...;` are executed by different members of the
// communicator, at the same time. Only the calls that a branch makes in every execution are
// compared. The comparison ends at the first statement that may call unknown code, leave the
// branch, or communicate under a condition.
//
//===------------------------------------------------------------------------------------------===//
#include "Lint/RankVariables.h"
#include "Lint/UnitRules.h"
#include "MPI/Datatypes.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace mpispec {

namespace {
/// One branch: its text, the rank that executes it, and its calls of MPI in order.
struct Branch {
  const Stmt *Body;
  std::optional<int64_t> Rank; ///< the rank, if only one executes it
  std::vector<MPICall> Calls;
};

class BranchChecker {
public:
  BranchChecker(const UnitCalls &Unit, const RankVariables &Ranks,
                std::vector<LintFinding> &Findings)
      : Unit(Unit), Ranks(Ranks), Findings(Findings) {}
  void check(const FunctionDecl *Function);

private:
  void check(const IfStmt *If, bool PostsReceives, bool IsFirst);
  const IfStmt *firstMessages(const FunctionDecl *Function) const;
  std::vector<MPICall> collectives(const Branch &B, const NamedComm &Comm) const;
  void compareCollectives(const Branch &A, const Branch &B, const NamedComm &Comm);
  void compare(const MPICall &A, const MPICall &B);
  void checkMessage(const Branch &From, const Branch &To, const NamedComm &Comm);
  void checkExchange(const Branch &A, const Branch &B, const NamedComm &Comm);
  void differ(const MPICall &A, const MPICall &B, const llvm::Twine &What);

  const UnitCalls &Unit;
  const RankVariables &Ranks;
  std::vector<LintFinding> &Findings;
};
} // namespace

//===- Collective operations -----------------------------------------------------------------===//

/// The branch's collective operations on \p Comm, up to one on a communicator of another name. This
/// communicator may be the same, and then the operations behind do not meet those of equal number.
std::vector<MPICall> BranchChecker::collectives(const Branch &B, const NamedComm &Comm) const {
  std::vector<MPICall> Result;
  for (const MPICall &Call : B.Calls) {
    if (Call.Site->Function->Kind != FunctionKind::Collective)
      continue;
    if (!(Ranks.comm(Call.argument(Role::Comm)) == Comm))
      break;
    Result.push_back(Call);
  }
  return Result;
}

void BranchChecker::differ(const MPICall &A, const MPICall &B, const llvm::Twine &What) {
  Findings.push_back({LintRule::Collectives, B.place(),
                      (B.Site->Callee + ": " + What + " in line " + llvm::Twine(A.Site->Line) +
                       "; all members of the communicator have to give the same")
                          .str()});
}

/// The datatype of \p T if its elements are numbers and the count is not proven to be 0; else null.
static const DatatypeInfo *numbers(const TransferFacts &T) {
  const DatatypeInfo *Datatype = lookUpDatatype(T.Datatype.Name);
  bool IsEmpty = T.Count.K == Answer::Constant && T.Count.Low == 0;
  bool IsNumber = Datatype && Datatype->Class == DatatypeClass::Arithmetic && T.DatatypeSize;
  return IsNumber && !IsEmpty ? Datatype : nullptr;
}

void BranchChecker::compare(const MPICall &A, const MPICall &B) {
  auto Known = [](const Answer &X) { return X.K == Answer::Constant && X.Low >= 0; };
  const Answer &RootA = A.Facts->Root, &RootB = B.Facts->Root;
  if (Known(RootA) && Known(RootB) && RootA.Low != RootB.Low)
    return differ(A, B, "root is " + llvm::Twine(RootB.Low) + ", but " + llvm::Twine(RootA.Low));
  const Answer &OpA = A.Facts->Op, &OpB = B.Facts->Op;
  if (OpA.K == Answer::Handle && OpB.K == Answer::Handle && OpA.Name != OpB.Name)
    return differ(A, B, "operation is " + OpB.Name + ", but " + OpA.Name);
  if (!A.argument(Role::Datatype) || A.Facts->Transfers.empty() || B.Facts->Transfers.empty())
    return;
  const TransferFacts &SideA = A.Facts->Transfers[0], &SideB = B.Facts->Transfers[0];
  const DatatypeInfo *TypeA = numbers(SideA), *TypeB = numbers(SideB);
  if (TypeA && TypeB && *SideA.DatatypeSize != *SideB.DatatypeSize)
    differ(A, B, "datatype is " + TypeB->Name + ", but " + TypeA->Name);
}

void BranchChecker::compareCollectives(const Branch &A, const Branch &B, const NamedComm &Comm) {
  std::vector<MPICall> OfA = collectives(A, Comm), OfB = collectives(B, Comm);
  for (auto [CallA, CallB] : llvm::zip(OfA, OfB)) {
    if (CallA.name() != CallB.name() || CallA.isDead() || CallB.isDead())
      return;
    compare(CallA, CallB);
  }
}

//===- Messages ------------------------------------------------------------------------------===//

/// Do \p A and \p B differ, so that a number of \p A must not be received as one of \p B (MPI-4.0,
/// section 3.3.1)? Integers of the same size do not count as different, because programs mix them
/// and all MPI libraries allow it.
static bool differ(const DatatypeInfo &A, const DatatypeInfo &B, uint64_t SizeA, uint64_t SizeB) {
  auto IsFloating = [](const DatatypeInfo &D) {
    return D.CType.contains("float") || D.CType.contains("double");
  };
  return SizeA != SizeB || IsFloating(A) != IsFloating(B);
}

/// Compares the send and the receive of the first message of the program between two ranks. For
/// later messages, the order of all earlier messages would have to be proven.
void BranchChecker::checkMessage(const Branch &From, const Branch &To, const NamedComm &Comm) {
  auto First = [](const Branch &B) {
    return llvm::find_if(B.Calls, [](const MPICall &Call) {
      return isCommunication(Call.Site->Function->Kind) &&
             Call.Site->Function->Kind != FunctionKind::Collective;
    });
  };
  auto Send = First(From), Recv = First(To);
  if (!From.Rank || !To.Rank || Send == From.Calls.end() || Recv == To.Calls.end() ||
      Send->Site->Function->Kind != FunctionKind::Send ||
      Recv->Site->Function->Kind != FunctionKind::Recv || Send->isDead() || Recv->isDead() ||
      Send->name().ends_with("_init") || Recv->name().ends_with("_init"))
    return;
  const TransferFacts &Sent = Send->Facts->Transfers[0], &Got = Recv->Facts->Transfers[0];
  auto Is = [](const Answer &Known, int64_t Value) {
    return Known.K == Answer::Constant && Known.Low == Value;
  };
  if (!Is(Sent.Peer, *To.Rank) || !Is(Got.Peer, *From.Rank) || Sent.Tag.K != Answer::Constant ||
      !Is(Got.Tag, Sent.Tag.Low) || !(Ranks.comm(Send->argument(Role::Comm)) == Comm) ||
      !(Ranks.comm(Recv->argument(Role::Comm)) == Comm))
    return;
  const DatatypeInfo *TypeSent = numbers(Sent), *TypeGot = numbers(Got);
  if (TypeSent && TypeGot &&
      ::mpispec::differ(*TypeSent, *TypeGot, *Sent.DatatypeSize, *Got.DatatypeSize))
    Findings.push_back({LintRule::Datatypes, Recv->place(),
                        (Recv->Site->Callee + ": datatype is " + TypeGot->Name +
                         ", but the message of line " + llvm::Twine(Send->Site->Line) + " has " +
                         TypeSent->Name + "; both sides have to give the same")
                            .str()});
}

//===- Exchanges -----------------------------------------------------------------------------===//

/// All common MPI libraries send a message of at most this number of bytes eagerly.
static constexpr int64_t Buffered = 4096;

/// Do \p Calls begin with a standard send to \p Peer and a receive from it?
static bool sendsFirst(llvm::ArrayRef<MPICall> Calls, int64_t Peer) {
  if (Calls.size() < 2 || Calls[0].name() != "Send" || Calls[1].name() != "Recv" ||
      Calls[0].isDead() || Calls[1].isDead())
    return false;
  const TransferFacts &Sent = Calls[0].Facts->Transfers[0], &Got = Calls[1].Facts->Transfers[0];
  bool IsSmall = Sent.Bytes.K == Answer::Constant && Sent.Bytes.Low <= Buffered;
  return !IsSmall && Sent.Peer.K == Answer::Constant && Sent.Peer.Low == Peer &&
         Got.Peer.K == Answer::Constant && Got.Peer.Low == Peer;
}

void BranchChecker::checkExchange(const Branch &A, const Branch &B, const NamedComm &Comm) {
  auto Messages = [&](const Branch &Of) {
    std::vector<MPICall> Result;
    for (const MPICall &Call : Of.Calls)
      if (isCommunication(Call.Site->Function->Kind))
        Result.push_back(Call);
    return Result;
  };
  std::vector<MPICall> OfA = Messages(A), OfB = Messages(B);
  if (OfA.empty() || !A.Rank || OfA[0].name() != "Send")
    return;
  const Answer &Peer = OfA[0].Facts->Transfers[0].Peer;
  bool MeetsB =
      Peer.K == Answer::Constant && Peer.Low != *A.Rank && (!B.Rank || *B.Rank == Peer.Low);
  if (!MeetsB || !sendsFirst(OfA, Peer.Low) || !sendsFirst(OfB, *A.Rank))
    return;
  for (const MPICall &Call : {OfA[0], OfA[1], OfB[0], OfB[1]})
    if (!(Ranks.comm(Call.argument(Role::Comm)) == Comm))
      return;
  Findings.push_back(
      {LintRule::Buffering, OfA[0].place(),
       (OfA[0].Site->Callee + ": so does the other side, in line " +
        llvm::Twine(OfB[0].Site->Line) +
        ", before it receives: both wait for ever unless the MPI library buffers the "
        "messages; use MPI_Sendrecv, or receive first on one side")
           .str()});
}

//===- The whole -----------------------------------------------------------------------------===//

void BranchChecker::check(const IfStmt *If, bool PostsReceives, bool IsFirst) {
  std::optional<RankCondition> First = Ranks.condition(If->getCond());
  if (!First || !If->getElse())
    return;
  auto Rank = [](const RankCondition &C, bool Then) {
    return C.Negated != Then ? C.Rank : std::nullopt;
  };
  Branch A{If->getThen(), Rank(*First, true), {}};
  Branch B{If->getElse(), Rank(*First, false), {}};
  if (const auto *Next = dyn_cast<IfStmt>(B.Body)) {
    std::optional<RankCondition> Second = Ranks.condition(Next->getCond());
    if (!Second || !(Second->Comm == First->Comm) || !Rank(*Second, true))
      return;
    B = {Next->getThen(), Rank(*Second, true), {}};
  }
  A.Calls = sureCalls(Unit, A.Body);
  B.Calls = sureCalls(Unit, B.Body);
  compareCollectives(A, B, First->Comm);
  if (IsFirst) {
    checkMessage(A, B, First->Comm);
    checkMessage(B, A, First->Comm);
  }
  if (PostsReceives)
    return;
  if (A.Rank)
    checkExchange(A, B, First->Comm);
  else if (B.Rank)
    checkExchange(B, A, First->Comm);
}

/// The statement of main that has the first messages of the program. Nothing in front of it
/// communicates between two ranks or calls a function of the program. Null: there is none.
const IfStmt *BranchChecker::firstMessages(const FunctionDecl *Function) const {
  const auto *Body = dyn_cast<CompoundStmt>(Function->getBody());
  if (!Function->isMain() || !Body)
    return nullptr;
  for (const Stmt *S : Body->body()) {
    bool Sends = llvm::any_of(Unit.callsIn(S), [](const MPICall &Call) {
      return isCommunication(Call.Site->Function->Kind) &&
             Call.Site->Function->Kind != FunctionKind::Collective;
    });
    if (Sends)
      return dyn_cast<IfStmt>(S);
    if (!callsNothingUnknown(Unit, S))
      return nullptr;
  }
  return nullptr;
}

void BranchChecker::check(const FunctionDecl *Function) {
  // A send may wait for a receive that is posted elsewhere in the function.
  bool PostsReceives = llvm::any_of(Unit.callsIn(Function->getBody()), [](const MPICall &Call) {
    return Call.Site->Function->Kind == FunctionKind::Recv && Call.argument(Role::Request);
  });
  const IfStmt *First = firstMessages(Function);
  forEachStatement(Function->getBody(), [&](const Stmt *S) {
    if (const auto *If = dyn_cast<IfStmt>(S))
      check(If, PostsReceives, If == First);
  });
}

void findBranchMistakes(const UnitCalls &Unit, std::vector<LintFinding> &Findings) {
  RankVariables Ranks(Unit);
  BranchChecker Checker(Unit, Ranks, Findings);
  for (const FunctionDecl *Function : Unit.functions())
    Checker.check(Function);
}

} // namespace mpispec
