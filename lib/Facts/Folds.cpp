//===- Folds.cpp - Simplifications that need knowledge of MPI ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/Folds.h"
#include "Facts/HandleLives.h"
#include "Facts/Neighbours.h"
#include "Frontend/CallSiteCollector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace mpispec {

/// Is \p Call one of a pure function, which depends on a handle alone?
static bool isPure(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && is_contained({"mpispec.bytes", "mpispec.span", "mpispec.rank", "mpispec.size"},
                                Callee->getName());
}

Value *FoldMPI::foldCall(CallInst &Call) const {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->getName().starts_with("mpispec.") || Call.arg_empty())
    return nullptr;
  StringRef Name = Callee->getName();
  IRBuilder<> B(&Call);
  if (Name == "mpispec.bytes")
    if (Value *Bytes = elementBytes(Call.getArgOperand(0), Callee, B))
      return Bytes;
  if (Name == "mpispec.span")
    if (Value *Span = elementSpan(Call.getArgOperand(0), Callee, B))
      return Span;
  auto *Handle = dyn_cast<Constant>(Call.getArgOperand(0));
  if (!Handle)
    return nullptr;
  if (Name == "mpispec.bytes" || Name == "mpispec.span") {
    const DatatypeInfo *Datatype = Values->datatype(Handle);
    if (!Datatype || Datatype->Class == DatatypeClass::Pair)
      return nullptr;
    std::optional<uint64_t> Size = Values->size(*Datatype);
    return Size ? ConstantInt::get(Call.getType(), *Size) : nullptr;
  }
  // A dummy MPI library may give one handle to MPI_COMM_SELF and MPI_COMM_WORLD.
  if (Handle != Values->value("MPI_COMM_SELF") || Handle == Values->value("MPI_COMM_WORLD"))
    return nullptr;
  if (Name == "mpispec.rank")
    return ConstantInt::get(Call.getType(), 0);
  return Name == "mpispec.size" ? ConstantInt::get(Call.getType(), 1) : nullptr;
}

//--- Variables that get one handle only ----------------------------------------------------------

/// The one constant that all stores to \p Variable store, if no other unit can access the variable;
/// else null.
static Constant *onlyStored(GlobalVariable &Variable) {
  if (!Variable.hasLocalLinkage() || !Variable.hasDefinitiveInitializer() ||
      !Variable.getInitializer()->isNullValue())
    return nullptr;
  Constant *Only = nullptr;
  for (User *U : Variable.users()) {
    if (auto *Load = dyn_cast<LoadInst>(U); Load && Load->getType() == Variable.getValueType())
      continue;
    auto *Store = dyn_cast<StoreInst>(U);
    auto *Stored = Store ? dyn_cast<Constant>(Store->getValueOperand()) : nullptr;
    if (!Stored || Store->getPointerOperand() != &Variable ||
        Stored->getType() != Variable.getValueType() || (Only && Stored != Only))
      return nullptr;
    Only = Stored;
  }
  return Only && !Only->isNullValue() ? Only : nullptr;
}

/// The value of \p Handle if it is not zero; null if that is unknown. A static variable is zero at
/// first. No correct program passes zero to MPI as a handle, because zero is no handle in any
/// interface.
static Value *unlessZero(Value *Handle) {
  auto IsZero = [](const Value *V) { return isa<Constant>(V) && cast<Constant>(V)->isNullValue(); };
  if (auto *Choice = dyn_cast<SelectInst>(Handle)) {
    Value *True = Choice->getTrueValue(), *False = Choice->getFalseValue();
    return IsZero(True) ? False : IsZero(False) ? True : nullptr;
  }
  auto *Load = dyn_cast<LoadInst>(Handle);
  auto *Variable = Load ? dyn_cast<GlobalVariable>(Load->getPointerOperand()) : nullptr;
  return Variable && Load->isSimple() ? onlyStored(*Variable) : nullptr;
}

/// Does MPI use the handle argument with role \p R in every process that calls \p F?
static bool isAlwaysLookedAt(const FunctionInfo &F, Role R) {
  bool IsMessage = F.Kind == FunctionKind::Send || F.Kind == FunctionKind::Recv ||
                   F.Kind == FunctionKind::SendRecv;
  bool IsDatatype = R == Role::Datatype || R == Role::SendDatatype || R == Role::RecvDatatype;
  return R == Role::Comm || (IsMessage && IsDatatype);
}

bool FoldMPI::foldHandles(CallBase &Call) const {
  Function *Callee = Call.getCalledFunction();
  StringRef Number = Callee ? Callee->getName() : StringRef();
  unsigned Index;
  if (!Number.consume_front(SiteFunctionPrefix) || Number.getAsInteger(10, Index))
    return false;
  const FunctionInfo &F = *Sites[Index].Function;
  bool Changed = false;
  for (auto [I, R] : enumerate(F.Roles))
    if (isAlwaysLookedAt(F, R) && HandlesAreNotZero)
      if (Value *Only = unlessZero(Call.getArgOperand(I))) {
        Value *Before = Call.getArgOperand(I);
        // The questions are operands of the call, and contain calls of pure functions with the same
        // handle. These calls also get the known handle.
        for (User *U : make_early_inc_range(Before->users()))
          if (auto *Asked = dyn_cast<CallBase>(U); Asked && isPure(*Asked))
            Asked->replaceUsesOfWith(Before, Only);
        Call.setArgOperand(I, Only);
        Changed = true;
      }
  return Changed;
}

//--- Tables --------------------------------------------------------------------------------------

SmallVector<const Constant *, 4> tableElements(const LoadInst &Load) {
  SmallVector<const Constant *, 4> Elements;
  const DataLayout &Layout = Load.getDataLayout();
  const Value *Address = Load.getPointerOperand();
  const auto *Table = dyn_cast<GlobalVariable>(getUnderlyingObject(Address));
  if (!Table || !Table->isConstant() || !Table->hasDefinitiveInitializer())
    return Elements;
  const Constant *All = Table->getInitializer();
  constexpr unsigned LargestTable = 16;
  auto *Type = dyn_cast<ArrayType>(All->getType());
  if (!Type || Type->getElementType() != Load.getType() || Type->getNumElements() > LargestTable)
    return Elements;
  // Each step from the table's beginning to the address must be a multiple of the element's size.
  uint64_t Step = Layout.getTypeAllocSize(Load.getType());
  for (; Address != Table; Address = cast<GEPOperator>(Address)->getPointerOperand()) {
    const auto *Place = dyn_cast<GEPOperator>(Address);
    SmallMapVector<Value *, APInt, 4> Variable;
    APInt Fixed(Layout.getIndexTypeSizeInBits(Address->getType()), 0);
    if (!Place || !Place->collectOffset(Layout, Fixed.getBitWidth(), Variable, Fixed) ||
        Fixed.urem(Step) ||
        any_of(Variable, [&](const auto &Index) { return Index.second.urem(Step) != 0; }))
      return Elements;
  }
  for (unsigned I = 0; I < Type->getNumElements(); ++I)
    Elements.push_back(All->getAggregateElement(I));
  return Elements;
}

/// Marks \p Load, which reads a number from a table, with the range from the smallest to the
/// largest number.
static bool markRange(LoadInst &Load) {
  if (!Load.getType()->isIntegerTy() || Load.hasMetadata(LLVMContext::MD_range))
    return false;
  SmallVector<const Constant *, 4> Elements = tableElements(Load);
  std::optional<ConstantRange> Hull;
  for (const Constant *Element : Elements) {
    const auto *Number = dyn_cast<ConstantInt>(Element);
    if (!Number)
      return false;
    ConstantRange Only(Number->getValue());
    Hull = Hull ? Hull->unionWith(Only, ConstantRange::Signed) : Only;
  }
  if (!Hull || Hull->isFullSet())
    return false;
  Load.setMetadata(LLVMContext::MD_range,
                   MDBuilder(Load.getContext()).createRange(Hull->getLower(), Hull->getUpper()));
  return true;
}

/// (C ? 4 : x) == 5  ->  C ? 4 == 5 : x == 5. LLVM does so only if the choice has no
/// other use. But a peer that may be MPI_PROC_NULL is also an argument of the call.
static Value *distributeOverChoice(ICmpInst &Compare) {
  auto *Choice = dyn_cast<SelectInst>(Compare.getOperand(0));
  auto *Bound = dyn_cast<ConstantInt>(Compare.getOperand(1));
  if (!Choice || !Bound || Choice->getType()->isVectorTy() ||
      !(isa<ConstantInt>(Choice->getTrueValue()) || isa<ConstantInt>(Choice->getFalseValue())))
    return nullptr;
  IRBuilder<> B(&Compare);
  Value *True = B.CreateICmp(Compare.getPredicate(), Choice->getTrueValue(), Bound);
  Value *False = B.CreateICmp(Compare.getPredicate(), Choice->getFalseValue(), Bound);
  return B.CreateSelect(Choice->getCondition(), True, False);
}

FoldMPI::FoldMPI(const Handles &Values, ArrayRef<CallSite> Sites)
    : Values(&Values), Sites(Sites), HandlesAreNotZero(true) {
  for (const NamedConstant &C : allNamedConstants())
    if (const Constant *Value = Values.value(C.Name))
      if (is_contained({NamedConstant::Datatype, NamedConstant::Comm}, C.K) && Value->isNullValue())
        HandlesAreNotZero = false;
  for (const DatatypeInfo &D : allDatatypes())
    if (const Constant *Value = Values.value(D.Name); Value && Value->isNullValue())
      HandlesAreNotZero = false;
}

/// A simpler value for \p I, or null.
Value *FoldMPI::fold(Instruction &I) const {
  if (auto *Call = dyn_cast<CallInst>(&I))
    return foldCall(*Call);
  auto *Compare = dyn_cast<ICmpInst>(&I);
  if (!Compare || !Compare->isEquality())
    return nullptr;
  if (std::optional<Value *> Folded = foldRankComparison(*Compare))
    return *Folded;
  return distributeOverChoice(*Compare);
}

PreservedAnalyses FoldMPI::run(Function &F, FunctionAnalysisManager &) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *Call = dyn_cast<CallBase>(&I))
      Changed |= foldHandles(*Call);
    else if (auto *Load = dyn_cast<LoadInst>(&I))
      Changed |= markRange(*Load);
    Value *Folded = fold(I);
    if (!Folded)
      continue;
    I.replaceAllUsesWith(Folded);
    I.eraseFromParent();
    Changed = true;
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace mpispec
