//===- Model.cpp - Guarantees of the MPI standard, written into the IR ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/Model.h"
#include "Facts/HandleLives.h"
#include "Frontend/CallSiteCollector.h"
#include "MPI/Functions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace mpispec {

// The size of an element of a derived datatype may exceed the range of int, but not the size of the
// address space.
static constexpr uint64_t LargestElement = uint64_t(1) << 47;

static AttrBuilder pureFunction(LLVMContext &Context) {
  AttrBuilder Attributes(Context);
  Attributes.addMemoryAttr(MemoryEffects::none());
  for (Attribute::AttrKind Kind :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree,
        Attribute::NoCallback, Attribute::Speculatable})
    Attributes.addAttribute(Kind);
  return Attributes;
}

static FunctionCallee declare(Module &M, StringRef Name, Type *Result, ArrayRef<Type *> Parameters,
                              const AttrBuilder &Attributes, ConstantRange Range) {
  FunctionCallee Callee = M.getOrInsertFunction(Name, FunctionType::get(Result, Parameters, false));
  auto *Function = cast<llvm::Function>(Callee.getCallee());
  if (!Function->hasRetAttribute(Attribute::Range)) {
    Function->addFnAttrs(Attributes);
    Function->addRangeRetAttr(Range);
    Function->addRetAttr(Attribute::NoUndef);
  }
  return Callee;
}

bool Model::isOfLargestGroup(int64_t Bound) {
  constexpr int64_t FarthestNeighbour = 64; // programs add small constants to a rank
  return Bound > LargestGroup - FarthestNeighbour && Bound < LargestGroup + FarthestNeighbour;
}

FunctionCallee Model::rank(Type *Handle, StringRef Name, unsigned Low) {
  Type *Int = Type::getInt32Ty(M.getContext());
  return declare(M, Name, Int, {Handle}, pureFunction(M.getContext()),
                 ConstantRange(APInt(32, Low), APInt(32, LargestGroup + Low)));
}

FunctionCallee Model::bytes(Type *Handle, StringRef Name) {
  Type *Long = Type::getInt64Ty(M.getContext());
  return declare(M, Name, Long, {Handle}, pureFunction(M.getContext()),
                 ConstantRange(APInt(64, 0), APInt(64, LargestElement)));
}

/// A function whose result is unknown, and may be different at each call.
static FunctionCallee unknown(Module &M, StringRef Name, Type *Result) {
  FunctionCallee Callee = M.getOrInsertFunction(Name, Result);
  auto *Function = cast<llvm::Function>(Callee.getCallee());
  Function->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  Function->addFnAttr(Attribute::NoUnwind);
  Function->addFnAttr(Attribute::WillReturn);
  return Callee;
}

FunctionCallee Model::returnCode() {
  return unknown(M, "mpispec.code", Type::getInt32Ty(M.getContext()));
}

FunctionCallee Model::opinion() {
  return unknown(M, "mpispec.opinion", Type::getInt1Ty(M.getContext()));
}

//--- MPI_Comm_rank and MPI_Comm_size -------------------------------------------------------------

/// The replacement of a query whose arguments are checked. Its arguments are the communicator, and
/// a pointer that is null if the address is null. With the address itself as an argument, the
/// optimizer would have to keep the variable in memory.
static FunctionCallee witness(Function &Query, Type *Handle) {
  StringRef Name = Query.getName();
  if (!Name.starts_with(WatchedFunctionPrefix))
    return nullptr;
  Module &M = *Query.getParent();
  FunctionCallee Callee = M.getOrInsertFunction(
      (Twine("mpispec.witness.") + Name.drop_front(WatchedFunctionPrefix.size())).str(),
      Type::getVoidTy(M.getContext()), Handle, PointerType::get(M.getContext(), 0));
  auto *F = cast<Function>(Callee.getCallee());
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  // The function is not marked WillReturn. Otherwise the optimizer could remove the call together
  // with a path that has undefined behaviour behind it.
  F->addFnAttr(Attribute::NoUnwind);
  return Callee;
}

/// Null for a null \p Address, else an address that no object has.
static Value *nullOrAny(Value *Address, IRBuilder<> &B) {
  auto *Null = ConstantPointerNull::get(PointerType::get(B.getContext(), 0));
  Constant *Any = ConstantExpr::getIntToPtr(B.getInt64(1), Null->getType());
  return isa<AllocaInst>(Address) ? Any : B.CreateSelect(B.CreateIsNull(Address), Null, Any);
}

/// MPI_Comm_rank(comm, &r)  ->  r = rank(comm), and rank(comm) < size(comm). The same for
/// MPI_Comm_size. The return value is unknown, because a program may test it.
static void replaceQuery(CallBase &Call, bool IsRank) {
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call))
    return replaceQuery(*changeToCall(Invoke), IsRank);
  IRBuilder<> B(&Call);
  if (FunctionCallee Witness = witness(*Call.getCalledFunction(), Call.getArgOperand(0)->getType()))
    B.CreateCall(Witness, {Call.getArgOperand(0), nullOrAny(Call.getArgOperand(1), B)});
  Model Pure(*Call.getModule());
  Value *Comm = Call.getArgOperand(0);
  Value *Rank = B.CreateCall(Pure.rankOf(Comm->getType()), {Comm});
  Value *Size = B.CreateCall(Pure.groupSizeOf(Comm->getType()), {Comm});
  B.CreateAssumption(B.CreateICmpSLT(Rank, Size));
  B.CreateAlignedStore(IsRank ? Rank : Size, Call.getArgOperand(1), MaybeAlign(4));
  Call.replaceAllUsesWith(B.CreateCall(Pure.returnCode()));
  Call.eraseFromParent();
}

static void replaceQueries(Function *Query, bool IsRank) {
  if (!Query || !Query->isDeclaration() || Query->arg_size() != 2 ||
      !Query->getReturnType()->isIntegerTy(32) || !Query->getArg(1)->getType()->isPointerTy())
    return;
  for (User *U : make_early_inc_range(Query->users()))
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledOperand() == Query)
      replaceQuery(*Call, IsRank);
}

//--- Pointer arguments ---------------------------------------------------------------------------

/// Does the function use the address in an argument of role \p R only during the call?
static bool isForgotten(Role R, bool Retains) {
  switch (R) {
  case Role::Request:
  case Role::NewOp:
  case Role::NewWin:
  case Role::NewFile:
    return true;
  case Role::Requests:
  case Role::Status:
  case Role::Statuses:
  case Role::ReadStatus:
  case Role::Message:
  case Role::Flag:
  case Role::Index:
  case Role::Indices:
  case Role::OutCount:
  case Role::NewComm:
  case Role::NewGroup:
  case Role::NewDatatype:
  case Role::FreedComm:
  case Role::FreedGroup:
  case Role::FreedDatatype:
  case Role::CommittedDatatype:
  case Role::FreedOp:
  case Role::FreedWin:
  case Role::ClosedFile:
  case Role::Rank:
  case Role::Size:
  case Role::Buffer:
  case Role::SendBuffer:
  case Role::RecvBuffer:
  case Role::SendCounts:
  case Role::RecvCounts:
  case Role::SendDisplacements:
  case Role::RecvDisplacements:
  case Role::SendDatatypes:
  case Role::RecvDatatypes:
  case Role::Lengths:
  case Role::Displacements:
  case Role::Datatypes:
    return !Retains;
  default:
    return false;
  }
}

static bool isReadOnly(Role R, FunctionKind Kind) {
  constexpr Role Arrays[] = {Role::SendCounts,        Role::RecvCounts,    Role::SendDisplacements,
                             Role::RecvDisplacements, Role::SendDatatypes, Role::RecvDatatypes,
                             Role::Lengths,           Role::Displacements, Role::Datatypes};
  return R == Role::SendBuffer || (R == Role::Buffer && Kind == FunctionKind::Send) ||
         is_contained(Arrays, R);
}

static void modelArguments(Function &F, const FunctionInfo &Info) {
  for (unsigned I = 0; I < Info.Roles.size(); ++I) {
    if (!F.getArg(I)->getType()->isPointerTy() || !isForgotten(Info.Roles[I], Info.Retains))
      continue;
    F.addParamAttr(I, Attribute::getWithCaptureInfo(F.getContext(), CaptureInfo::none()));
    if (isReadOnly(Info.Roles[I], Info.Kind))
      F.addParamAttr(I, Attribute::ReadOnly);
  }
}

//--- Values that depend on the compiler ----------------------------------------------------------

/// Makes the results of `__builtin_constant_p(n)` unknown. They depend on the optimizer, and the
/// user's compiler may have other results than Clang.
static void forgetConstantTests(Module &M) {
  FunctionCallee Opinion = Model(M).opinion();
  for (Function &F : M)
    if (F.getIntrinsicID() == Intrinsic::is_constant)
      for (User *U : make_early_inc_range(F.users())) {
        auto *Test = cast<CallInst>(U);
        Test->replaceAllUsesWith(IRBuilder<>(Test).CreateCall(Opinion));
        Test->eraseFromParent();
      }
}

/// Makes the text of `__PRETTY_FUNCTION__` in C++ unknown, because compilers write it differently.
static void forgetFunctionNames(Module &M) {
  for (GlobalVariable &G : M.globals())
    if (G.getName().starts_with("__PRETTY_FUNCTION__.") && G.hasInitializer()) {
      G.setInitializer(nullptr);
      G.setLinkage(GlobalValue::ExternalLinkage);
      G.setComdat(nullptr);
    }
}

/// Replaces arguments by unknown values if the user's compiler may evaluate them differently
/// (CallSite::ReadOtherwise). Pointers stay, because the memory that the call writes is the same
/// for all compilers.
static void forgetArguments(Function &F, const CallSite &Site) {
  auto IsValue = [&](unsigned I) {
    bool IsHandle =
        is_contained({Role::Datatype, Role::SendDatatype, Role::RecvDatatype, Role::Comm, Role::Op},
                     Site.Function->Roles[I]);
    return Site.Spellings[I].K != Spelling::Constant &&
           (IsHandle || F.getArg(I)->getType()->isIntegerTy());
  };
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledOperand() == &F)
      for (unsigned I = 0; I < F.arg_size(); ++I)
        if (IsValue(I)) {
          Type *T = F.getArg(I)->getType();
          std::string Name =
              "mpispec.reading." + std::to_string(T->isPointerTy() ? 0 : T->getIntegerBitWidth());
          Call->setArgOperand(I, IRBuilder<>(Call).CreateCall(unknown(*F.getParent(), Name, T)));
        }
}

static void modelCalls(Function &F, const CallSite &Site, const Handles &Values) {
  if (Site.ReadOtherwise && Site.Spellings.size() == F.arg_size())
    forgetArguments(F, Site);
  modelArguments(F, *Site.Function);
  modelHandleLives(F, *Site.Function, Values);
  if (Site.Function->Name == "Comm_rank" || Site.Function->Name == "Comm_size")
    replaceQueries(&F, Site.Function->Name == "Comm_rank");
}

void modelMPI(Module &M, ArrayRef<CallSite> Sites, ArrayRef<CallSite> Watched,
              const Handles &Values) {
  forgetConstantTests(M);
  forgetFunctionNames(M);
  // Calls in MPI's own header are no sites, and still call MPI's functions by name.
  replaceQueries(M.getFunction("MPI_Comm_rank"), /*IsRank=*/true);
  replaceQueries(M.getFunction("MPI_Comm_size"), /*IsRank=*/false);
  for (Function &F : M)
    if (const FunctionInfo *Info = lookUpFunction(F.getName()))
      if (F.isDeclaration() && F.arg_size() == Info->Roles.size())
        modelArguments(F, *Info);
  for (const CallSite &Site : Sites)
    if (Function *F = M.getFunction((SiteFunctionPrefix + Twine(Site.Number)).str()))
      modelCalls(*F, Site, Values);
  for (const CallSite &Call : Watched)
    if (Function *F = M.getFunction((WatchedFunctionPrefix + Twine(Call.Number)).str()))
      modelCalls(*F, Call, Values);
}

} // namespace mpispec
