//===- HandleLives.cpp - What makes, commits and frees a handle -------------------------------===//
#include "Facts/HandleLives.h"
#include "Frontend/CallSiteCollector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace mpispec {

static constexpr StringLiteral MadePrefix = "mpispec.made.";
static constexpr StringLiteral CommittedPrefix = "mpispec.committed.";

/// `handle made(address)`: a handle that nobody else has. The address is for isNeverCommitted.
static FunctionCallee fresh(Module &M, StringRef Prefix, Type *Handle) {
  std::string Name =
      (Prefix + Twine(Handle->isPointerTy() ? 0 : Handle->getIntegerBitWidth())).str();
  FunctionCallee Callee =
      M.getOrInsertFunction(Name, Handle, PointerType::getUnqual(M.getContext()));
  auto *F = cast<Function>(Callee.getCallee());
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(Attribute::WillReturn);
  F->addParamAttr(0, Attribute::getWithCaptureInfo(M.getContext(), CaptureInfo::none()));
  F->addParamAttr(0, Attribute::ReadNone);
  return Callee;
}

/// Where what \p Call has done is seen, or null.
static Instruction *behind(CallBase &Call) {
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    BasicBlock *Next = Invoke->getNormalDest();
    return Next->getUniquePredecessor() ? &*Next->getFirstInsertionPt() : nullptr;
  }
  return Call.getNextNode();
}

/// The null handle that a freed handle of role \p R is.
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

/// A program that looks at what the call returned may have a way for when it failed.
static Value *orUnknown(IRBuilderBase &B, CallBase &Call, Constant *Handle, Value *Address) {
  if (Call.use_empty() || !Call.getType()->isIntegerTy())
    return Handle;
  Value *Unknown =
      B.CreateCall(fresh(*Call.getModule(), CommittedPrefix, Handle->getType()), {Address});
  return B.CreateSelect(B.CreateIsNull(&Call), Handle, Unknown);
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
  return B.CreateCall(
      fresh(*Call.getModule(), IsMade ? MadePrefix : CommittedPrefix, AnyType->getType()),
      {Address});
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
static const CallBase *callOf(const User *U, StringRef Prefix) {
  auto *Call = dyn_cast<CallBase>(U);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName().starts_with(Prefix) ? Call : nullptr;
}

/// A variable that is loaded, stored and given to MPI, but never to MPI_Type_commit.
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
