//===- FieldValues.cpp - Fields to which a unit assigns one value -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/FieldValues.h"
#include "Facts/Model.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace mpispec {

/// Is every use of \p F a call of it, in this unit?
static bool hasOnlyKnownCallers(const Function &F) {
  return F.hasLocalLinkage() && !F.isDeclaration() && !F.isVarArg() &&
         all_of(F.uses(), [&](const Use &U) {
           const auto *Call = dyn_cast<CallBase>(U.getUser());
           return Call && Call->isCallee(&U) && Call->getFunctionType() == F.getFunctionType();
         });
}

static bool isCallOf(const Value *V, StringRef Name) {
  const auto *Call = dyn_cast<CallInst>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->isDeclaration() && Callee->getName() == Name;
}

namespace {

/// The bytes from Begin on contain Value. If Value is null, their contents are unknown.
struct Written {
  int64_t Begin, Bytes;
  Constant *Value;
};

/// An object whose uses are all known, with the data that is written to it.
class Object {
public:
  Object(Value &Base, const DataLayout &Layout) : Base(Base), Layout(Layout) {}
  /// Follows all uses. Returns false if other code may have the object's address.
  bool follow();
  /// Adds all possible values of the field of \p Type at \p Offset to \p Values. Returns false if
  /// they are unknown.
  bool addValues(int64_t Offset, Type *Type, SmallSetVector<Constant *, 4> &Values) const;

private:
  bool followUse(const Use &U, int64_t Offset);
  bool followCall(const CallBase &Call, const Use &U, int64_t Offset);
  bool followTransfer(const MemIntrinsic &Transfer, const Use &U, int64_t Offset);
  void write(int64_t Offset, Type *Type, Value *V);
  bool add(Value &Pointer, int64_t Offset);

  Value &Base;
  const DataLayout &Layout;
  SmallMapVector<Value *, int64_t, 16> Pointers; ///< into the object, with their offsets
  SmallVector<Written, 16> Writes;
};

/// A pointer must have only one offset. In a loop or a recursion it may have several. Then nothing
/// is known about the object.
bool Object::add(Value &Pointer, int64_t Offset) {
  return Pointers.try_emplace(&Pointer, Offset).first->second == Offset;
}

bool Object::follow() {
  constexpr unsigned MostPointers = 256;
  Pointers.insert({&Base, 0});
  for (unsigned I = 0; I < Pointers.size(); ++I) { // grows while it is walked
    auto [Pointer, Offset] = *(Pointers.begin() + I);
    bool IsKnown =
        I < MostPointers &&
        all_of(
            Pointer->uses(), [&, Offset = Offset](const Use &U) { return followUse(U, Offset); });
    if (!IsKnown)
      return false;
  }
  return true;
}

void Object::write(int64_t Offset, Type *Type, Value *V) {
  TypeSize Bytes = Layout.getTypeStoreSize(Type);
  auto *Known = isa<UndefValue>(V) ? nullptr : dyn_cast<Constant>(V);
  Writes.push_back({Offset, static_cast<int64_t>(Bytes.getKnownMinValue()), Known});
}

bool Object::followUse(const Use &U, int64_t Offset) {
  User *Where = U.getUser();
  if (auto *Load = dyn_cast<LoadInst>(Where))
    return Load->isSimple();
  if (auto *Store = dyn_cast<StoreInst>(Where)) {
    if (!Store->isSimple() || U.getOperandNo() != StoreInst::getPointerOperandIndex())
      return false;
    write(Offset, Store->getValueOperand()->getType(), Store->getValueOperand());
    return true;
  }
  if (auto *Place = dyn_cast<GEPOperator>(Where)) {
    APInt Distance(Layout.getIndexTypeSizeInBits(Place->getType()), 0);
    return Place->accumulateConstantOffset(Layout, Distance) &&
           add(*Place, Offset + Distance.getSExtValue());
  }
  if (auto *Transfer = dyn_cast<MemIntrinsic>(Where))
    return followTransfer(*Transfer, U, Offset);
  if (auto *Call = dyn_cast<CallBase>(Where))
    return followCall(*Call, U, Offset);
  return isa<ICmpInst>(Where);
}

/// Follows memcpy and similar functions. A copy out of the object is only a read.
bool Object::followTransfer(const MemIntrinsic &Transfer, const Use &U, int64_t Offset) {
  constexpr unsigned Destination = 0;
  if (Transfer.isVolatile())
    return false;
  if (U.getOperandNo() != Destination)
    return true;
  auto *Length = dyn_cast<ConstantInt>(Transfer.getLength());
  if (!Length)
    return false;
  Constant *Value = nullptr;
  if (auto *Copy = dyn_cast<MemTransferInst>(&Transfer)) {
    auto *From = dyn_cast<GlobalVariable>(Copy->getSource());
    if (From && From->isConstant() && From->hasDefinitiveInitializer())
      Value = From->getInitializer();
  } else if (auto *Byte = dyn_cast<Constant>(cast<MemSetInst>(Transfer).getValue());
             Byte && Byte->isNullValue()) {
    Value = ConstantAggregateZero::get(
        ArrayType::get(Byte->getType(), static_cast<uint64_t>(Length->getSExtValue())));
  }
  Writes.push_back({Offset, Length->getSExtValue(), Value});
  return true;
}

bool Object::followCall(const CallBase &Call, const Use &U, int64_t Offset) {
  if (Call.isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(Call) || isCallOf(&Call, "free"))
    return true;
  if (!Call.isArgOperand(&U))
    return false;
  unsigned Number = Call.getArgOperandNo(&U);
  if (Call.doesNotCapture(Number) && Call.onlyReadsMemory(Number))
    return true; // data that MPI sends
  Function *Callee = Call.getCalledFunction();
  return Callee && hasOnlyKnownCallers(*Callee) && add(*Callee->getArg(Number), Offset);
}

bool Object::addValues(int64_t Offset, Type *Type, SmallSetVector<Constant *, 4> &Values) const {
  auto Bytes = static_cast<int64_t>(Layout.getTypeStoreSize(Type).getKnownMinValue());
  auto Add = [&](Constant *All, int64_t At) {
    Constant *Value = ConstantFoldLoadFromConst(
        All, Type, APInt(Layout.getIndexSizeInBits(0), At, /*isSigned=*/true), Layout);
    bool IsKnown = Value && !isa<UndefValue>(Value);
    return IsKnown && (Values.insert(Value), true);
  };
  if (auto *Variable = dyn_cast<GlobalVariable>(&Base))
    if (!Variable->hasDefinitiveInitializer() || !Add(Variable->getInitializer(), Offset))
      return false;
  if (isCallOf(&Base, "calloc"))
    Values.insert(Constant::getNullValue(Type));
  return all_of(Writes, [&](const Written &W) {
    if (W.Begin >= Offset + Bytes || Offset >= W.Begin + W.Bytes)
      return true;
    bool IsWhole = W.Begin <= Offset && Offset + Bytes <= W.Begin + W.Bytes;
    return IsWhole && W.Value && Add(W.Value, Offset - W.Begin);
  });
}

/// The objects that a parameter may point to, each with the offset in it.
class Pointees {
public:
  explicit Pointees(const DataLayout &Layout) : Layout(Layout) {}
  /// False: not all of them are known.
  bool add(Argument &Parameter, int64_t Offset);
  SmallVector<std::pair<Value *, int64_t>, 4> All;

private:
  const DataLayout &Layout;
  SmallDenseMap<Argument *, int64_t, 4> Seen;
};

bool Pointees::add(Argument &Parameter, int64_t Offset) {
  if (!hasOnlyKnownCallers(*Parameter.getParent()))
    return false;
  if (auto [Before, New] = Seen.try_emplace(&Parameter, Offset); !New)
    return Before->second == Offset; // passed twice, or a recursion
  for (User *U : Parameter.getParent()->users()) {
    APInt Distance(Layout.getIndexTypeSizeInBits(Parameter.getType()), Offset, /*isSigned=*/true);
    Value *Given = cast<CallBase>(U)->getArgOperand(Parameter.getArgNo());
    Given = Given->stripAndAccumulateConstantOffsets(Layout, Distance, /*AllowNonInbounds=*/true);
    auto *Variable = dyn_cast<GlobalVariable>(Given);
    if (auto *Outer = dyn_cast<Argument>(Given)) {
      if (!add(*Outer, Distance.getSExtValue()))
        return false;
    } else if (isa<AllocaInst>(Given) || (Variable && Variable->hasLocalLinkage()) ||
               isCallOf(Given, "malloc") || isCallOf(Given, "calloc")) {
      All.push_back({Given, Distance.getSExtValue()});
    } else {
      return false;
    }
  }
  return true;
}

/// The objects of a module that have been followed; null: other code may have the address.
class Objects {
public:
  explicit Objects(const DataLayout &Layout) : Layout(Layout) {}
  const Object *find(Value &Base);

private:
  const DataLayout &Layout;
  DenseMap<Value *, std::unique_ptr<Object>> Known;
};

const Object *Objects::find(Value &Base) {
  auto [Entry, New] = Known.try_emplace(&Base);
  if (New) {
    auto Followed = std::make_unique<Object>(Base, Layout);
    if (Followed->follow())
      Known[&Base] = std::move(Followed);
  }
  return Known[&Base].get();
}

} // namespace

/// Collects the loads through \p Pointer, with their offsets from a parameter. \p Offset is the
/// offset of \p Pointer.
static void collectReads(Value &Pointer, int64_t Offset, const DataLayout &Layout,
                         SmallVectorImpl<std::pair<LoadInst *, int64_t>> &Reads) {
  for (User *U : Pointer.users()) {
    if (auto *Load = dyn_cast<LoadInst>(U); Load && Load->isSimple())
      Reads.push_back({Load, Offset});
    auto *Place = dyn_cast<GetElementPtrInst>(U);
    APInt Distance(Layout.getIndexTypeSizeInBits(Pointer.getType()), 0);
    if (Place && Place->getPointerOperand() == &Pointer &&
        Place->accumulateConstantOffset(Layout, Distance))
      collectReads(*Place, Offset + Distance.getSExtValue(), Layout, Reads);
  }
}

/// The value of \p Load: one constant, or a choice of that constant and zero, because nothing may
/// have been stored. Null if it is unknown. A handle that is passed to MPI is not zero (Folds.h).
static Value *valueOf(LoadInst &Load, ArrayRef<Constant *> Values) {
  if (Values.size() == 1)
    return Values[0];
  if (Values.size() != 2 || Values[0]->isNullValue() == Values[1]->isNullValue())
    return nullptr;
  Constant *Stored = Values[Values[0]->isNullValue() ? 1 : 0];
  IRBuilder<> B(&Load);
  Value *IsStored = B.CreateCall(Model(*Load.getModule()).opinion());
  return B.CreateSelect(IsStored, Stored, Constant::getNullValue(Load.getType()));
}

PreservedAnalyses FoldFieldValues::run(Module &M, ModuleAnalysisManager &) {
  const DataLayout &Layout = M.getDataLayout();
  Objects Followed(Layout);
  SmallVector<std::pair<LoadInst *, SmallVector<Constant *, 2>>, 8> Known;
  for (Function &F : M)
    for (Argument &Parameter : F.args()) {
      SmallVector<std::pair<LoadInst *, int64_t>, 8> Reads;
      if (!Parameter.getType()->isPointerTy() || !F.hasLocalLinkage())
        continue;
      collectReads(Parameter, 0, Layout, Reads);
      Pointees Given(Layout);
      if (Reads.empty() || !Given.add(Parameter, 0) || Given.All.empty())
        continue;
      for (auto [Load, Offset] : Reads) {
        SmallSetVector<Constant *, 4> Values;
        bool AreKnown = all_of(Given.All, [&, Load = Load, Offset = Offset](auto Pointee) {
          const Object *O = Followed.find(*Pointee.first);
          return O && O->addValues(Pointee.second + Offset, Load->getType(), Values);
        });
        if (AreKnown && !Values.empty())
          Known.push_back({Load, SmallVector<Constant *, 2>(Values.begin(), Values.end())});
      }
    }
  bool Changed = false;
  for (auto &[Load, Values] : Known)
    if (Value *Only = valueOf(*Load, Values)) {
      Load->replaceAllUsesWith(Only);
      Load->eraseFromParent();
      Changed = true;
    }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace mpispec
