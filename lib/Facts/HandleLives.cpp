//===- HandleLives.cpp - Creation, commit and release of handles ------------------------------===//
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

/// Declares `handle made(address, bytes of one element)` or `handle committed(address, handle
/// before)`: each call returns a handle that nobody else has. isNeverCommitted() reads the first
/// argument, elementBytes() the second.
static FunctionCallee fresh(Module &M, StringRef Prefix, Type *Handle, Type *Of) {
  std::string Name =
      (Prefix + Twine(Handle->isPointerTy() ? 0 : Handle->getIntegerBitWidth())).str();
  FunctionCallee Callee =
      M.getOrInsertFunction(Name, Handle, PointerType::getUnqual(M.getContext()), Of);
  auto *F = cast<Function>(Callee.getCallee());
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(Attribute::WillReturn);
  F->addParamAttr(0, Attribute::getWithCaptureInfo(M.getContext(), CaptureInfo::none()));
  F->addParamAttr(0, Attribute::ReadNone);
  return Callee;
}

/// The first instruction that sees what \p Call has done, or null.
static Instruction *behind(CallBase &Call) {
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    BasicBlock *Next = Invoke->getNormalDest();
    return Next->getUniquePredecessor() ? &*Next->getFirstInsertionPt() : nullptr;
  }
  return Call.getNextNode();
}

/// The name of the null handle that a handle of role \p R becomes by being freed; empty: none.
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

/// \p Handle, or an unknown one where the program looks at the return code: it may go on after a
/// call that failed.
static Value *orUnknown(IRBuilderBase &B, CallBase &Call, Constant *Handle, Value *Address) {
  if (Call.use_empty() || !Call.getType()->isIntegerTy())
    return Handle;
  Type *Any = Handle->getType();
  Value *Unknown = B.CreateCall(fresh(*Call.getModule(), CommittedPrefix, Any, Any),
                                {Address, PoisonValue::get(Any)});
  return B.CreateSelect(B.CreateIsNull(&Call), Handle, Unknown);
}

/// Bytes of one element of the datatype that \p Call makes, computed in front of it; poison if they
/// are not count x length x bytes of the old datatype's element (MPI-4.0, section 5.1.2).
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

/// The handle at \p Address in front of \p Call; poison where a load might read what the program
/// does not.
static Value *handleBefore(CallBase &Call, Value *Address, Type *Handle) {
  if (!isa<AllocaInst, GlobalVariable>(getUnderlyingObject(Address)))
    return PoisonValue::get(Handle);
  return IRBuilder<>(&Call).CreateLoad(Handle, Address);
}

/// The value of the handle at \p Address behind \p Call; null if nothing is said of it.
static Value *handleAfter(IRBuilderBase &B, CallBase &Call, Value *Address, Role R,
                          const FunctionInfo &Info, const Handles &Values) {
  if (Constant *Null = freedHandle(R, Info, Values))
    return orUnknown(B, Call, Null, Address);
  Constant *AnyType = Values.value("MPI_DATATYPE_NULL");
  bool IsMade = R == Role::NewDatatype && Info.Name != "Type_dup"; // a copy may be committed
  if (!AnyType || !(IsMade || R == Role::CommittedDatatype))
    return nullptr;
  Type *Handle = AnyType->getType();
  Value *Of = IsMade ? bytesMade(Call, Info) : handleBefore(Call, Address, Handle);
  return B.CreateCall(
      fresh(*Call.getModule(), IsMade ? MadePrefix : CommittedPrefix, Handle, Of->getType()),
      {Address, Of});
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

/// Is \p U a call of a function of ours whose name begins with \p Prefix?
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

Value *elementBytes(const Value *Datatype, FunctionCallee Bytes, IRBuilderBase &B) {
  const auto *Call = dyn_cast<CallBase>(Datatype);
  if (!Call || Call->arg_size() != 2 || isa<UndefValue>(Call->getArgOperand(1)))
    return nullptr;
  if (callOf(Datatype, MadePrefix))
    return Call->getArgOperand(1);
  return callOf(Datatype, CommittedPrefix) ? B.CreateCall(Bytes, {Call->getArgOperand(1)})
                                           : nullptr;
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
  // Whoever else gets hold of the handle may commit it.
  return isNeverCommittedThrough(Variable) && all_of(Made->users(), [&](const User *U) {
           auto *Store = dyn_cast<StoreInst>(U);
           return Store ? Store->getPointerOperand()->stripPointerCasts() == Variable
                        : callOf(U, "mpispec.") != nullptr;
         });
}

} // namespace mpispec
