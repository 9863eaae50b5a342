//===- HandleLives.cpp - Creation, commit and release of handles ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/HandleLives.h"
#include "Facts/Model.h"
#include "Frontend/CallSiteCollector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace mpispec {

static constexpr StringLiteral MadePrefix = "mpispec.made.";
static constexpr StringLiteral CommittedPrefix = "mpispec.committed.";

/// Declares `handle made(address, bytes of one element, its span)` or `handle committed(address,
/// handle before)`: each call returns a new handle, different from all others. isNeverCommitted()
/// reads the first argument, elementBytes() the second, elementSpan() the third.
static FunctionCallee fresh(Module &M, StringRef Prefix, Type *Handle, ArrayRef<Type *> Of) {
  std::string Name =
      (Prefix + Twine(Handle->isPointerTy() ? 0 : Handle->getIntegerBitWidth())).str();
  SmallVector<Type *, 3> Parameters = {PointerType::getUnqual(M.getContext())};
  Parameters.append(Of.begin(), Of.end());
  FunctionCallee Callee =
      M.getOrInsertFunction(Name, FunctionType::get(Handle, Parameters, /*isVarArg=*/false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(Attribute::WillReturn);
  F->addParamAttr(0, Attribute::getWithCaptureInfo(M.getContext(), CaptureInfo::none()));
  F->addParamAttr(0, Attribute::ReadNone);
  return Callee;
}

/// The first instruction that is executed after \p Call, or null.
static Instruction *behind(CallBase &Call) {
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    BasicBlock *Next = Invoke->getNormalDest();
    return Next->getUniquePredecessor() ? &*Next->getFirstInsertionPt() : nullptr;
  }
  return Call.getNextNode();
}

/// The name of the null handle that replaces a handle of role \p R when it is freed. Empty if the
/// role frees nothing.
static StringRef nullHandle(Role R) {
  switch (R) {
  case Role::FreedComm:
    return "MPI_COMM_NULL";
  case Role::FreedGroup:
    return "MPI_GROUP_NULL";
  case Role::FreedDatatype:
    return "MPI_DATATYPE_NULL";
  case Role::FreedOp:
    return "MPI_OP_NULL";
  case Role::FreedWin:
    return "MPI_WIN_NULL";
  case Role::ClosedFile:
    return "MPI_FILE_NULL";
  default:
    return "";
  }
}

static Constant *freedHandle(Role R, const FunctionInfo &Info, const Handles &Values) {
  if (Info.Name == "Request_free" && R == Role::Request)
    return Values.value("MPI_REQUEST_NULL");
  StringRef Null = nullHandle(R);
  return Null.empty() ? nullptr : Values.value(Null);
}

/// Returns \p Handle if the program does not test the call's return code. Otherwise the program may
/// continue after a failed call. Then the handle is unknown for other codes than 0.
static Value *orUnknown(IRBuilderBase &B, CallBase &Call, Constant *Handle, Value *Address) {
  if (Call.use_empty() || !Call.getType()->isIntegerTy())
    return Handle;
  Type *Any = Handle->getType();
  Value *Unknown = B.CreateCall(fresh(*Call.getModule(), CommittedPrefix, Any, {Any}),
                                {Address, PoisonValue::get(Any)});
  return B.CreateSelect(B.CreateIsNull(&Call), Handle, Unknown);
}

/// The bytes of one element of the datatype that \p Call makes. They are computed in front of
/// \p Call as count x length x bytes of the old datatype's element (MPI-4.0, section 5.1.2). For
/// other constructors they are poison.
static Value *bytesMade(CallBase &Call, const FunctionInfo &Info) {
  IRBuilder<> B(&Call);
  std::optional<unsigned> Count = Info.find(Role::Count), Old = Info.find(Role::Datatype);
  if (!Count || !Old || Info.find(Role::Lengths))
    return PoisonValue::get(B.getInt64Ty());
  Value *Type = Call.getArgOperand(*Old);
  Value *Bytes = B.CreateCall(Model(*Call.getModule()).sizeOf(Type->getType()), {Type});
  auto Times = [&](unsigned Index) {
    Value *Factor = Call.getArgOperand(Index);
    if (!Factor->getType()->isIntegerTy())
      return; // not the function of the standard
    Bytes = B.CreateMul(B.CreateSExtOrTrunc(Factor, B.getInt64Ty()), Bytes);
  };
  Times(*Count);
  if (std::optional<unsigned> Length = Info.find(Role::Length))
    Times(*Length);
  return Bytes;
}

/// A lower bound of the bytes that one element occupies from the buffer's address on, for the
/// datatype that \p Call makes. It is computed in front of the call. With a stride or
/// displacements, elements of the old datatype may lie before the address, or overlap (MPI-4.0,
/// section 5.1.2). Then the bound is 0.
static Value *spanMade(CallBase &Call, const FunctionInfo &Info) {
  IRBuilder<> B(&Call);
  Constant *None = B.getInt64(0);
  bool IsVector = Info.Name == "Type_vector" || Info.Name == "Type_create_hvector";
  if (Info.Name != "Type_contiguous" && !IsVector)
    return None;
  Value *Type = Call.getArgOperand(*Info.find(Role::Datatype));
  Model OfModule(*Call.getModule());
  Value *Old = B.CreateCall(OfModule.spanOf(Type->getType()), {Type});
  auto Number = [&](unsigned Index) -> Value * {
    Value *V = Call.getArgOperand(Index);
    return V->getType()->isIntegerTy() ? B.CreateSExtOrTrunc(V, B.getInt64Ty()) : None;
  };
  Value *Count = Number(*Info.find(Role::Count));
  if (!IsVector)
    return B.CreateMul(Count, Old);
  unsigned LengthAt = *Info.find(Role::Length), StrideAt = LengthAt + 1;
  Value *Length = Number(LengthAt), *Stride = Number(StrideAt), *Block = B.CreateMul(Length, Old);
  Value *Ascends = B.CreateICmpSGE(Stride, Info.Name == "Type_vector" ? Length : Block);
  return B.CreateSelect(Ascends, B.CreateMul(Count, Block), None);
}

/// The handle at \p Address in front of \p Call. Poison if it is unknown whether the memory may be
/// read.
static Value *handleBefore(CallBase &Call, Value *Address, Type *Handle) {
  if (!isa<AllocaInst, GlobalVariable>(getUnderlyingObject(Address)))
    return PoisonValue::get(Handle);
  return IRBuilder<>(&Call).CreateLoad(Handle, Address);
}

/// The value of the handle at \p Address behind \p Call. Null if the call does not change it in a
/// known way.
static Value *handleAfter(IRBuilderBase &B, CallBase &Call, Value *Address, Role R,
                          const FunctionInfo &Info, const Handles &Values) {
  if (Constant *Null = freedHandle(R, Info, Values))
    return orUnknown(B, Call, Null, Address);
  Constant *AnyType = Values.value("MPI_DATATYPE_NULL");
  bool IsMade = R == Role::NewDatatype && Info.Name != "Type_dup"; // a copy may be committed
  if (!AnyType || !(IsMade || R == Role::CommittedDatatype))
    return nullptr;
  Type *Handle = AnyType->getType();
  Module &M = *Call.getModule();
  if (!IsMade)
    return B.CreateCall(fresh(M, CommittedPrefix, Handle, {Handle}),
                        {Address, handleBefore(Call, Address, Handle)});
  Value *Bytes = bytesMade(Call, Info), *Span = spanMade(Call, Info);
  return B.CreateCall(fresh(M, MadePrefix, Handle, {Bytes->getType(), Span->getType()}),
                      {Address, Bytes, Span});
}

static void modelCall(CallBase &Call, const FunctionInfo &Info, const Handles &Values) {
  Instruction *Next = behind(Call);
  if (!Next || Call.arg_size() < Info.Roles.size())
    return;
  IRBuilder<> B(Next);
  for (auto [Index, R] : enumerate(Info.Roles)) {
    Value *Address = Call.getArgOperand(Index);
    if (!Address->getType()->isPointerTy() || isa<ConstantPointerNull>(Address))
      continue;
    if (Value *Handle = handleAfter(B, Call, Address, R, Info, Values))
      B.CreateStore(Handle, Address);
  }
}

void modelHandleLives(Function &F, const FunctionInfo &Info, const Handles &Values) {
  for (User *U : make_early_inc_range(F.users()))
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledOperand() == &F)
      modelCall(*Call, Info, Values);
}

/// Is \p U a call of a function whose name begins with \p Prefix?
static const CallBase *callOf(const Value *U, StringRef Prefix) {
  auto *Call = dyn_cast<CallBase>(U);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName().starts_with(Prefix) ? Call : nullptr;
}

/// Is \p Variable one that is loaded, stored and given to MPI, but never to MPI_Type_commit?
static bool isNeverCommittedThrough(const Value *Variable) {
  if (!isa<AllocaInst, GlobalVariable>(Variable))
    return false;
  return all_of(Variable->users(), [&](const User *U) {
    if (auto *Store = dyn_cast<StoreInst>(U))
      return Store->getPointerOperand() == Variable;
    if (isa<LoadInst>(U) ||
        (isa<IntrinsicInst>(U) && cast<IntrinsicInst>(U)->isLifetimeStartOrEnd()))
      return true;
    return callOf(U, "mpispec.") && !callOf(U, CommittedPrefix);
  });
}

/// If \p Datatype is a call of made(), the argument \p Index of this call. If it is a call of
/// committed(), a call of \p Asked with the handle before the commit. Otherwise null.
static Value *ofElement(const Value *Datatype, unsigned Index, FunctionCallee Asked,
                        IRBuilderBase &B) {
  const CallBase *Made = callOf(Datatype, MadePrefix);
  if (const CallBase *Committed = Made ? nullptr : callOf(Datatype, CommittedPrefix)) {
    Value *Before = Committed->getArgOperand(1);
    return isa<UndefValue>(Before) ? nullptr : B.CreateCall(Asked, {Before});
  }
  return Made && !isa<UndefValue>(Made->getArgOperand(Index)) ? Made->getArgOperand(Index)
                                                              : nullptr;
}

Value *elementBytes(const Value *Datatype, FunctionCallee Bytes, IRBuilderBase &B) {
  return ofElement(Datatype, 1, Bytes, B);
}

Value *elementSpan(const Value *Datatype, FunctionCallee Span, IRBuilderBase &B) {
  return ofElement(Datatype, 2, Span, B);
}

bool isDerived(const Value *Datatype, unsigned Depth) {
  constexpr unsigned MostSteps = 4;
  if (Depth == MostSteps)
    return false;
  if (const auto *Meeting = dyn_cast<PHINode>(Datatype))
    return all_of(Meeting->incoming_values(),
                  [&](const Value *Way) { return isDerived(Way, Depth + 1); });
  const auto *Call = dyn_cast<CallBase>(Datatype);
  return Call && (callOf(Call, MadePrefix) ||
                  (callOf(Call, CommittedPrefix) && isDerived(Call->getArgOperand(1), Depth + 1)));
}

bool isNeverCommitted(const Value *Datatype) {
  auto *Made = dyn_cast<CallInst>(Datatype);
  if (!Made || !callOf(Made, MadePrefix))
    return false;
  const Value *Variable = Made->getArgOperand(0)->stripPointerCasts();
  // Other code that gets the handle may commit it.
  return isNeverCommittedThrough(Variable) && all_of(Made->users(), [&](const User *U) {
           auto *Store = dyn_cast<StoreInst>(U);
           return Store ? Store->getPointerOperand()->stripPointerCasts() == Variable
                        : callOf(U, "mpispec.") != nullptr;
         });
}

} // namespace mpispec
