//===- CallCopy.cpp - Predicates on one copy of a call ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/CallCopy.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

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

bool CallCopy::isSomebody(Value *Peer) const {
  auto *Nobody = dyn_cast_or_null<ConstantInt>(Values.value("MPI_PROC_NULL"));
  std::optional<ConstantRange> Range = rangeOf(Peer, Call, Analyses);
  return Nobody && Range && !Range->isEmptySet() && !Range->contains(Nobody->getValue());
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

/// May \p I call a function of the program that does not return? MPI's functions and those of the
/// C library count as functions that return unless they are marked. Exceptions are exec*() and
/// callbacks of the program.
static bool mayNotReturn(const Instruction &I, const TargetLibraryInfo &Library) {
  const auto *Other = dyn_cast<CallBase>(&I);
  const Function *Callee = Other ? Other->getCalledFunction() : nullptr;
  if (!Other || Other->hasFnAttr(Attribute::WillReturn))
    return false;
  LibFunc Known;
  StringRef Name = Callee ? Callee->getName() : "";
  return !Name.starts_with("mpispec.") && !Name.starts_with("MPI_") &&
         (Name.starts_with("exec") || !Library.getLibFunc(*Other, Known) ||
          any_of(Other->args(), [](const Value *V) { return isa<Function>(V); }));
}

/// Does the program use the result of \p I, which compares the caller's rank in \p Comm with \p
/// Root?
static bool singlesOut(const Value *Root, const Value *Comm, const Instruction &I) {
  const auto *Compare = dyn_cast<ICmpInst>(&I);
  const auto *Rank = Compare ? dyn_cast<CallBase>(Compare->getOperand(0)) : nullptr;
  const Function *Callee = Rank ? Rank->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == "mpispec.rank" && Rank->getArgOperand(0) == Comm &&
         Compare->isEquality() && Compare->getOperand(1) == Root &&
         any_of(Compare->users(), [](const User *U) { return !isa<CallBase>(U); });
}

bool CallCopy::isExecutedByRoot() const {
  Function &Main = *Call.getFunction();
  if (Main.getName() != "main" || argument(Role::Comm) != Values.value("MPI_COMM_WORLD") ||
      !Analyses.getResult<PostDominatorTreeAnalysis>(Main).dominates(Call.getParent(),
                                                                     &Main.getEntryBlock()))
    return false;
  const auto &Library = Analyses.getResult<TargetLibraryAnalysis>(Main);
  return none_of(instructions(Main),
                 [&](const Instruction &I) {
                   return mayNotReturn(I, Library) && isPotentiallyReachable(&I, &Call);
                 }) &&
         any_of(instructions(Main), [&](const Instruction &I) {
           return singlesOut(argument(Role::Root), argument(Role::Comm), I);
         });
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

namespace {
/// A stretch of an object: some bytes of it from an offset on.
struct Stretch {
  Value *Object;
  int64_t Begin, Size;

  bool holds(const Stretch &Other) const {
    return Object == Other.Object && Begin <= Other.Begin &&
           Other.Begin + Other.Size <= Begin + Size;
  }
};
} // namespace

static Stretch stretchAt(Value *Address, int64_t Size, const DataLayout &Layout) {
  APInt Offset(Layout.getIndexTypeSizeInBits(Address->getType()), 0);
  Value *Object =
      Address->stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true);
  return {Object, Offset.getSExtValue(), Size};
}

/// The value of type \p T at \p Offset bytes in the data that \p From writes.
static Value *partOf(Instruction &From, Type *T, int64_t Offset, const DataLayout &Layout) {
  if (auto *Store = dyn_cast<StoreInst>(&From)) {
    Value *Written = Store->getValueOperand();
    if (Offset == 0 && Written->getType() == T)
      return Written;
    auto *Known = dyn_cast<Constant>(Written);
    return Known ? ConstantFoldLoadFromConst(Known, T, APInt(64, Offset), Layout) : nullptr;
  }
  auto *Copy = dyn_cast<MemCpyInst>(&From);
  auto *Constants = Copy ? dyn_cast<GlobalVariable>(Copy->getSource()) : nullptr;
  return Constants && Constants->isConstant() && Constants->hasDefinitiveInitializer()
             ? ConstantFoldLoadFromConst(Constants->getInitializer(), T, APInt(64, Offset), Layout)
             : nullptr;
}

/// Where and how much \p I, a store or a copy, writes.
static std::optional<MemoryLocation> writtenBy(const Instruction &I) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return MemoryLocation::get(Store);
  if (auto *Copy = dyn_cast<MemCpyInst>(&I))
    return MemoryLocation::getForDest(Copy);
  return std::nullopt;
}

Value *CallCopy::element(unsigned Index, unsigned At, Type *T) const {
  Value *Array = argument(Index);
  if (!Array || !Array->getType()->isPointerTy())
    return nullptr;
  const DataLayout &Layout = Call.getModule()->getDataLayout();
  int64_t Size = Layout.getTypeStoreSize(T);
  Stretch Place = stretchAt(Array, Size, Layout);
  Place.Begin += At * Size;
  if (auto *Constants = dyn_cast<GlobalVariable>(Place.Object);
      Constants && Constants->isConstant() && Constants->hasDefinitiveInitializer())
    return ConstantFoldLoadFromConst(Constants->getInitializer(), T, APInt(64, Place.Begin),
                                     Layout);
  if (!isa<AllocaInst>(Place.Object))
    return nullptr;
  MemorySSA &Memory = Analyses.getResult<MemorySSAAnalysis>(*Call.getFunction()).getMSSA();
  MemoryUseOrDef *Here = Memory.getMemoryAccess(&Call);
  for (Instruction &I : instructions(*Call.getFunction())) {
    std::optional<MemoryLocation> Written = writtenBy(I);
    if (!Here || !Written || !Written->Size.isPrecise())
      continue;
    Stretch All = stretchAt(const_cast<Value *>(Written->Ptr), Written->Size.getValue(), Layout);
    if (!All.holds(Place))
      continue;
    // Is it the last to write any of these bytes before the call?
    MemoryAccess *Last =
        Memory.getWalker()->getClobberingMemoryAccess(Here->getDefiningAccess(), *Written);
    if (Last == Memory.getMemoryAccess(&I))
      return partOf(I, T, Place.Begin - All.Begin, Layout);
  }
  return nullptr;
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
  if (Copy.F.Name.contains("eighbor")) // a process may have no neighbours
    return false;
  CollectiveSides Sides = collectiveSides(Copy.F);
  if ((Buffer == Role::SendBuffer && Sides.SendAtRoot) ||
      (Buffer == Role::RecvBuffer && Sides.RecvAtRoot))
    return Copy.Root == RootHere::Yes;
  // In an intercommunicator, a process that passes MPI_ROOT or MPI_PROC_NULL uses only one of its
  // buffers or none.
  Value *Root = Copy.argument(Role::Root);
  auto *Rank = dyn_cast_or_null<ConstantInt>(Root);
  return !Root || Copy.isIntracommunicator() || (Rank && !Rank->isNegative());
}

} // namespace mpispec
