//===- Questions.cpp - Questions about MPI calls, planted in the IR ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A planted call has these operands: the call's own arguments; then, for each side, its bytes and
// the answers to its questions. A question may not apply to a side (a Bcast has no peer). Its
// operand is then poison, which is never read as a constant.
//
//===------------------------------------------------------------------------------------------===//
#include "Facts/Questions.h"
#include "Facts/Model.h"
#include "Frontend/CallSiteCollector.h"
#include "mpispec/contract.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace mpispec {

static constexpr unsigned TransferQuestions = static_cast<unsigned>(TransferQuestion::Last);
static constexpr unsigned OperandsPerTransfer = 1 + TransferQuestions;

namespace {

/// The terms of which questions consist. All instructions are inserted in front of the call.
class Terms {
public:
  /// The terms for one side of the call.
  Terms(CallBase &Call, const FunctionInfo &F, const Handles &Values, const Transfer &Side)
      : B(&Call), Call(Call), F(F), Values(Values), Comm(at(Role::Comm)), Buffer(at(Side.Buffer)),
        Count(at(Side.Count)), Datatype(at(Side.Datatype)), Peer(at(Side.Peer)), Tag(at(Side.Tag)),
        Root(at(Role::Root)) {}

  bool hasBytes() const { return Count && Datatype; }
  Value *rank() { return B.CreateCall(Model(*Call.getModule()).rankOf(Comm->getType()), {Comm}); }
  Value *size() {
    return B.CreateCall(Model(*Call.getModule()).groupSizeOf(Comm->getType()), {Comm});
  }
  Constant *named(StringRef Name) const { return Values.value(Name); }

  /// Bytes of the buffer that the call describes, as 64 bits.
  Value *bytes() {
    if (!Bytes) {
      FunctionCallee Size = Model(*Call.getModule()).sizeOf(Datatype->getType());
      Bytes = B.CreateNSWMul(wide(Count), B.CreateCall(Size, {Datatype}));
    }
    return Bytes;
  }

  /// The least number of bytes behind the buffer's address that the call uses, as 64 bits.
  Value *span() {
    FunctionCallee Span = Model(*Call.getModule()).spanOf(Datatype->getType());
    return B.CreateNSWMul(wide(Count), B.CreateCall(Span, {Datatype}));
  }

  /// Bytes from the buffer's address to the end of the object it points into; 2^64 - 1 if unknown.
  Value *objectSize() {
    Function *ObjectSize = Intrinsic::getOrInsertDeclaration(
        Call.getModule(), Intrinsic::objectsize, {B.getInt64Ty(), Buffer->getType()});
    Value *UpperBound = B.getFalse(), *NullIsUnknown = B.getTrue(), *Static = B.getFalse();
    return B.CreateCall(ObjectSize, {Buffer, UpperBound, NullIsUnknown, Static});
  }

  Value *equal(Value *X, Value *Y) { return B.CreateICmpEQ(X, Y); }
  Value *atMost(Value *X, int64_t Bound) { return B.CreateICmpSLE(X, constant(X, Bound)); }
  Value *atLeast(Value *X, Value *Y) { return B.CreateICmpSGE(X, Y); }
  Value *above(Value *X, int64_t Bound) { return B.CreateICmpSGT(X, constant(X, Bound)); }
  Value *below(Value *X, int64_t Bound) { return B.CreateICmpSLT(X, constant(X, Bound)); }

  /// \p Bytes is positive and above \p Limit, an unsigned number.
  Value *exceeds(Value *Bytes, Value *Limit) {
    return B.CreateAnd(above(Bytes, 0), B.CreateICmpUGT(Bytes, Limit));
  }

  Value *unasked() { return PoisonValue::get(B.getInt1Ty()); }
  Value *unknownBytes() { return PoisonValue::get(B.getInt64Ty()); }

private:
  Value *at(std::optional<Role> R) const {
    std::optional<unsigned> Index = R ? F.find(*R) : std::nullopt;
    return Index ? Call.getArgOperand(*Index) : nullptr;
  }
  Value *wide(Value *V) { return B.CreateSExtOrTrunc(V, B.getInt64Ty()); }
  static Constant *constant(Value *Like, int64_t V) {
    return ConstantInt::getSigned(Like->getType(), V);
  }

  IRBuilder<> B;
  CallBase &Call;
  const FunctionInfo &F;
  const Handles &Values;
  Value *Bytes = nullptr;

public:
  Value *Comm, *Buffer, *Count, *Datatype, *Peer, *Tag, *Root; ///< null where the call has none
};

} // namespace

static void askTransfer(Terms &T, SmallVectorImpl<Value *> &Operands) {
  Operands.push_back(T.hasBytes() ? T.bytes() : T.unknownBytes());
#define TRANSFER_QUESTION(NAME, NEEDS, EXPRESSION)                                                 \
  Operands.push_back((NEEDS) ? (EXPRESSION) : T.unasked());
#include "Facts/Questions.def"
}

/// The function that stands for a site, with parameters for the questions.
static Function *plantedFunction(Function &Site, unsigned Transfers) {
  SmallVector<Type *, 48> Types(Site.getFunctionType()->params());
  Type *Bit = Type::getInt1Ty(Site.getContext());
  for (unsigned I = 0; I < Transfers; ++I) {
    Types.push_back(Type::getInt64Ty(Site.getContext()));
    Types.append(TransferQuestions, Bit);
  }
  auto *Planted = Function::Create(FunctionType::get(Site.getReturnType(), Types, false),
                                   Site.getLinkage(), "", Site.getParent());
  Planted->copyAttributesFrom(&Site);
  return Planted;
}

static void plantCall(CallBase &Call, Function *Planted, const FunctionInfo &F,
                      const Handles &Values) {
  SmallVector<Value *, 48> Operands(Call.args());
  for (const Transfer &Side : transfersOf(F)) {
    Terms T(Call, F, Values, Side);
    askTransfer(T, Operands);
  }
  CallBase *New;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call))
    New = InvokeInst::Create(Planted->getFunctionType(), Planted, Invoke->getNormalDest(),
                             Invoke->getUnwindDest(), Operands, "", Call.getIterator());
  else
    New = CallInst::Create(Planted->getFunctionType(), Planted, Operands, "", Call.getIterator());
  New->setAttributes(Call.getAttributes());
  New->setCallingConv(Call.getCallingConv());
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

void plantQuestions(Module &M, ArrayRef<CallSite> Sites, const Handles &Values) {
  for (const CallSite &Site : Sites) {
    std::string Name = (SiteFunctionPrefix + Twine(Site.Number)).str();
    Function *Old = M.getFunction(Name);
    if (!Old)
      continue;
    Function *Planted = plantedFunction(*Old, transfersOf(*Site.Function).size());
    for (User *U : make_early_inc_range(Old->users()))
      if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledOperand() == Old)
        plantCall(*Call, Planted, *Site.Function, Values);
    assert(Old->use_empty() && "a site's function is only ever called");
    Planted->takeName(Old);
    Old->eraseFromParent();
  }
}

Value *PlantedCall::argument(Role R) const {
  std::optional<unsigned> Index = F.find(R);
  return Index ? Call.getArgOperand(*Index) : nullptr;
}

Value *PlantedCall::bytes(unsigned Transfer) const {
  return Call.getArgOperand(F.Roles.size() + Transfer * OperandsPerTransfer);
}

Value *PlantedCall::answer(unsigned Transfer, TransferQuestion Q) const {
  return Call.getArgOperand(F.Roles.size() + Transfer * OperandsPerTransfer + 1 +
                            static_cast<unsigned>(Q));
}

} // namespace mpispec
