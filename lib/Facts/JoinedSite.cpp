//===- JoinedSite.cpp - The copies of a site, joined ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/JoinedSite.h"
#include "Facts/AtCall.h"
#include "Facts/Demands.h"
#include "Facts/Folds.h"
#include "Facts/HandleLives.h"
#include "Facts/SideMistakes.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace mpispec;

static void join(JoinedAnswer &A, std::optional<bool> Bit) {
  JoinedAnswer Now = !Bit ? JoinedAnswer::Unknown : *Bit ? JoinedAnswer::Yes : JoinedAnswer::No;
  A = A == JoinedAnswer::None || A == Now ? Now : JoinedAnswer::Unknown;
}

/// Is \p Meeting a variable of a loop? It is unknown how often such a variable has its first value.
static bool changesInLoop(const PHINode &Meeting) {
  return any_of(Meeting.incoming_values(), [&](const Value *Way) {
    const auto *Next = dyn_cast<Instruction>(Way);
    return Next && is_contained(Next->operands(), &Meeting);
  });
}

/// Divides \p Share among the values of which \p V selects one (a phi node, a select or a table).
static void addShares(JoinedValue &Joined, const Value *V, double Share, unsigned Depth = 0) {
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

void SiteJoin::addValue(JoinedValue &Joined, Value *V, CallBase &Call) {
  if (!V)
    return;
  auto *Handle = isa<UndefValue>(V) ? nullptr : dyn_cast<Constant>(V);
  Joined.Handle = !Joined.Seen || Joined.Handle == Handle ? Handle : nullptr;
  Joined.Handles.insert(Handle);
  addShares(Joined, V, 1);
  if (V->getType()->isIntegerTy() && V->getType()->getIntegerBitWidth() <= 64) {
    ConstantRange Range = rangeAt(V, Call, Analyses);
    Joined.Hull = Joined.Seen ? Joined.Hull.unionWith(Range, ConstantRange::Signed) : Range;
    if (auto *Integer = dyn_cast<ConstantInt>(V))
      ++Joined.Constants[Integer->getSExtValue()];
  }
  Joined.Seen = true;
}

void SiteJoin::addTransfer(const PlantedCall &Planted, CallBase &Call, unsigned Index) {
  const Transfer &Side = Sides[Index];
  JoinedTransfer &Joined = Result.Transfers[Index];
  auto Value = [&](std::optional<Role> R) { return R ? Planted.argument(*R) : nullptr; };
  addValue(Joined.Count, Value(Side.Count), Call);
  addValue(Joined.Datatype, Value(Side.Datatype), Call);
  addValue(Joined.Peer, Value(Side.Peer), Call);
  addValue(Joined.Tag, Value(Side.Tag), Call);
  addValue(Joined.Bytes, Planted.bytes(Index), Call);
  if (Side.Datatype)
    join(Joined.IsDerived, isDerived(Value(Side.Datatype)));
  for (unsigned Q = 0; Q < std::size(Joined.Questions); ++Q)
    join(Joined.Questions[Q],
         evaluateAt(Planted.answer(Index, static_cast<TransferQuestion>(Q)), Call, Analyses));
}

RootHere SiteJoin::rootHere(const PlantedCall &Planted, CallBase &Call) {
  if (Sides.empty() || !Planted.argument(Role::Root))
    return RootHere::Unknown;
  std::optional<bool> IsSelf =
      evaluateAt(Planted.answer(0, TransferQuestion::RootIsSelf), Call, Analyses);
  if (IsSelf)
    return *IsSelf ? RootHere::Yes : RootHere::No;
  auto *Rank = dyn_cast<ConstantInt>(Planted.argument(Role::Root));
  bool IsRank = Rank && !Rank->isNegative();
  return IsRank && CallCopy(Site, Call, Values, Analyses).isExecutedByRoot() ? RootHere::Yes
                                                                             : RootHere::Unknown;
}

void SiteJoin::add(CallBase &Call) {
  PlantedCall Planted{*Site.Function, Call};
  CallCopy Copy(Site, Call, Values, Analyses, rootHere(Planted, Call));
  std::vector<std::string> Mistakes;
  findBrokenDemands(Copy, Mistakes);
  findSideMistakes(Copy, Mistakes);
  Result.Mistakes.add(Mistakes);
  for (unsigned I = 0; I < Sides.size(); ++I)
    join(Result.Transfers[I].IsSignificant,
         !Sides[I].Buffer || isSignificant(Copy, *Sides[I].Buffer));
  addValue(Result.Comm, Planted.argument(Role::Comm), Call);
  addValue(Result.Root, Planted.argument(Role::Root), Call);
  addValue(Result.Op, Planted.argument(Role::Op), Call);
  Value *Status = Planted.argument(Role::Status);
  addValue(Result.Status, Status ? Status : Planted.argument(Role::Statuses), Call);
  addValue(Result.Requests, Planted.argument(Role::Requests), Call);
  addValue(Result.RequestCount, Planted.argument(Role::RequestCount), Call);
  for (unsigned I = 0; I < Sides.size(); ++I)
    addTransfer(Planted, Call, I);
  ++Result.Copies;
  Result.Runs = std::max(Result.Runs, Runs.of(Call));
}
