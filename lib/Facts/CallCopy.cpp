//===- CallCopy.cpp - One copy of a call, in MPI's words --------------------------------------===//
#include "Facts/CallCopy.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace mpispec {

Value *CallCopy::argument(unsigned Index) const {
  return Index < std::min<size_t>(F.Roles.size(), Call.arg_size()) ? Call.getArgOperand(Index)
                                                                   : nullptr;
}

Value *CallCopy::argument(std::optional<Role> R) const {
  std::optional<unsigned> Index = R ? F.find(*R) : std::nullopt;
  return Index ? argument(*Index) : nullptr;
}

static std::optional<ConstantRange> rangeOf(Value *Number, CallBase &Call,
                                            FunctionAnalysisManager &Analyses) {
  if (!Number || !Number->getType()->isIntegerTy())
    return std::nullopt;
  if (auto *Integer = dyn_cast<ConstantInt>(Number))
    return ConstantRange(Integer->getValue());
  if (isa<Constant>(Number))
    return std::nullopt;
  return Analyses.getResult<LazyValueAnalysis>(*Call.getFunction())
      .getConstantRange(Number, &Call, /*UndefAllowed=*/false);
}

bool CallCopy::isPositive(Value *Number) const {
  std::optional<ConstantRange> Range = rangeOf(Number, Call, Analyses);
  return Range && !Range->isEmptySet() && Range->getSignedMin().isStrictlyPositive();
}

bool CallCopy::isNegative(Value *Number) const {
  std::optional<ConstantRange> Range = rangeOf(Number, Call, Analyses);
  return Range && !Range->isEmptySet() && Range->getSignedMax().isNegative();
}

bool CallCopy::isNull(Value *Address) const {
  return Address && isa<ConstantPointerNull>(Address->stripPointerCasts());
}

bool CallCopy::isInPlace(Value *Address) const {
  Constant *InPlace = Values.value("MPI_IN_PLACE");
  return InPlace && Address == InPlace;
}

bool CallCopy::isOrdinaryAddress(Value *Address) const {
  if (!Address || isNull(Address))
    return Address;
  const Value *Object = getUnderlyingObject(Address);
  return isIdentifiedObject(Object) && !isa<Argument>(Object);
}

bool CallCopy::isIntracommunicator() const {
  Value *Comm = argument(Role::Comm);
  return Comm && isa<Constant>(Comm) &&
         (Comm == Values.value("MPI_COMM_WORLD") || Comm == Values.value("MPI_COMM_SELF"));
}

const DatatypeInfo *CallCopy::datatype(std::optional<Role> R) const {
  Value *Handle = argument(R);
  return Handle ? Values.datatype(Handle) : nullptr;
}

bool CallCopy::isExecutedByAll() const {
  Function &Main = *Call.getFunction();
  if (Main.getName() != "main" || argument(Role::Comm) != Values.value("MPI_COMM_WORLD"))
    return false;
  return Analyses.getResult<PostDominatorTreeAnalysis>(Main).dominates(Call.getParent(),
                                                                       &Main.getEntryBlock());
}

Value *CallCopy::pointee(unsigned Index) const {
  Value *Address = argument(Index);
  if (!Address || !Address->getType()->isPointerTy())
    return nullptr;
  MemorySSA &Memory = Analyses.getResult<MemorySSAAnalysis>(*Call.getFunction()).getMSSA();
  MemoryUseOrDef *Here = Memory.getMemoryAccess(&Call);
  if (!Here)
    return nullptr;
  auto Place = MemoryLocation(Address, LocationSize::precise(1));
  auto *Written = dyn_cast<MemoryDef>(
      Memory.getWalker()->getClobberingMemoryAccess(Here->getDefiningAccess(), Place));
  auto *Store = Written && !Memory.isLiveOnEntryDef(Written)
                    ? dyn_cast_or_null<StoreInst>(Written->getMemoryInst())
                    : nullptr;
  bool Same =
      Store && Store->getPointerOperand()->stripPointerCasts() == Address->stripPointerCasts();
  return Same ? Store->getValueOperand() : nullptr;
}

CollectiveSides collectiveSides(const FunctionInfo &F) {
  CollectiveSides Sides;
  StringRef Name = F.Name;
  if (F.Kind != FunctionKind::Collective || !F.find(Role::SendBuffer) || Name.contains("eighbor"))
    return Sides;
  if (!F.find(Role::Root)) {
    Sides.InPlace = CollectiveSides::Send;
  } else if (Name.contains_insensitive("scatter")) {
    Sides.SendAtRoot = true;
    Sides.InPlace = CollectiveSides::RecvOfRoot;
  } else { // Gather, Reduce
    Sides.RecvAtRoot = true;
    Sides.InPlace = CollectiveSides::SendOfRoot;
  }
  return Sides;
}

bool isSignificant(const CallCopy &Copy, Role Buffer) {
  CollectiveSides::Place Place = collectiveSides(Copy.F).InPlace;
  bool MayBeInPlace = Buffer == Role::RecvBuffer
                          ? Place == CollectiveSides::RecvOfRoot
                          : Place == CollectiveSides::Send || Place == CollectiveSides::SendOfRoot;
  return takesPart(Copy, Buffer) &&
         !(MayBeInPlace && !Copy.isOrdinaryAddress(Copy.argument(Buffer)));
}

bool takesPart(const CallCopy &Copy, Role Buffer) {
  if (Copy.F.Kind == FunctionKind::OneSided && Copy.F.find(Role::Op) &&
      Buffer == Role::SendBuffer) {
    StringRef Op = Copy.Values.name(NamedConstant::Op, Copy.argument(Role::Op));
    return !Op.empty() &&
           Op != "MPI_NO_OP"; // which only reads the target (MPI-4.0, section 12.3.4)
  }
  if (Copy.F.Kind != FunctionKind::Collective)
    return true;
  CollectiveSides Sides = collectiveSides(Copy.F);
  if ((Buffer == Role::SendBuffer && Sides.SendAtRoot) ||
      (Buffer == Role::RecvBuffer && Sides.RecvAtRoot))
    return Copy.Root == RootHere::Yes;
  // In an intercommunicator MPI_ROOT and MPI_PROC_NULL leave a side out.
  Value *Root = Copy.argument(Role::Root);
  auto *Rank = dyn_cast_or_null<ConstantInt>(Root);
  return !Root || Copy.isIntracommunicator() || (Rank && !Rank->isNegative());
}

} // namespace mpispec
