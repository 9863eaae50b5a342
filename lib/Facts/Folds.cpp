//===- Folds.cpp - Simplifications that only MPI knows ----------------------------------------===//
#include "Facts/Folds.h"
#include "Facts/Model.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace mpispec {

/// The communicator if \p V is a call of the pure function \p Name, else null.
static Value *argumentOf(Value *V, StringRef Name) {
  auto *Call = dyn_cast<CallInst>(V);
  Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == Name ? Call->getArgOperand(0) : nullptr;
}

Value *FoldMPI::foldCall(CallInst &Call) const {
  auto *Handle = Call.arg_empty() ? nullptr : dyn_cast<Constant>(Call.getArgOperand(0));
  Function *Callee = Call.getCalledFunction();
  if (!Handle || !Callee || !Callee->getName().starts_with("mpispec."))
    return nullptr;
  StringRef Name = Callee->getName();
  if (Name == "mpispec.bytes") {
    const DatatypeInfo *Datatype = Values->datatype(Handle);
    if (!Datatype || Datatype->Class == DatatypeClass::Pair)
      return nullptr;
    std::optional<uint64_t> Size = Values->size(*Datatype);
    return Size ? ConstantInt::get(Call.getType(), *Size) : nullptr;
  }
  // A stand-in for MPI may have one communicator under two names.
  if (Handle != Values->value("MPI_COMM_SELF") || Handle == Values->value("MPI_COMM_WORLD"))
    return nullptr;
  if (Name == "mpispec.rank")
    return ConstantInt::get(Call.getType(), 0);
  return Name == "mpispec.size" ? ConstantInt::get(Call.getType(), 1) : nullptr;
}

//--- Neighbours in a ring ------------------------------------------------------------------------

namespace {

/// Rank * rank(c) + Size * size(c) + Offset. Rank and size are at most Model::LargestGroup and the
/// factors are small, so that in 64 bits, and in the program's 32, nothing overflows.
struct Linear {
  int64_t Rank = 0, Size = 0, Offset = 0;

  Linear operator-(const Linear &Other) const {
    return {Rank - Other.Rank, Size - Other.Size, Offset - Other.Offset};
  }
  Linear operator+(const Linear &Other) const {
    return {Rank + Other.Rank, Size + Other.Size, Offset + Other.Offset};
  }
  bool isConstant() const { return Rank == 0 && Size == 0; }
};

/// A comparison of something with the caller's rank in one communicator.
class Ring {
public:
  /// The ring if one operand of \p Compare is a rank; the other operand is Peer.
  static std::optional<Ring> of(ICmpInst &Compare);
  /// `Peer == rank` in simpler words, or null.
  Value *fold(ICmpInst &Compare) const;

private:
  Value *foldRemainder(IRBuilderBase &B) const;
  Value *foldChoice(IRBuilderBase &B) const;
  std::optional<Linear> linear(Value *V, unsigned Depth = 0) const;
  std::optional<Linear> equation(Value *Condition, bool Holds) const;
  Value *solve(Linear First, Linear Second, IRBuilderBase &B) const;
  Value *sizeIs(int64_t N, IRBuilderBase &B) const;
  bool isSize(Value *V) const { return argumentOf(V, "mpispec.size") == Comm; }

  Value *Rank = nullptr, *Comm = nullptr, *Peer = nullptr;
};

std::optional<Ring> Ring::of(ICmpInst &Compare) {
  for (unsigned I : {0, 1}) {
    Ring Result;
    Result.Rank = Compare.getOperand(1 - I);
    Result.Peer = Compare.getOperand(I);
    Result.Comm = argumentOf(Result.Rank, "mpispec.rank");
    if (Result.Comm && isa<Instruction>(Result.Peer) && !argumentOf(Result.Peer, "mpispec.rank"))
      return Result;
  }
  return std::nullopt;
}

/// \p V as a sum, or nothing.
std::optional<Linear> Ring::linear(Value *V, unsigned Depth) const {
  Value *X, *Y;
  const APInt *Constant;
  if (V == Rank)
    return Linear{1, 0, 0};
  if (isSize(V))
    return Linear{0, 1, 0};
  if (match(V, m_APInt(Constant)) && Constant->abs().ult(Model::LargestGroup / 2))
    return Linear{0, 0, Constant->getSExtValue()};
  bool Sum = match(V, m_Add(m_Value(X), m_Value(Y)));
  if (Depth == 4 || !(Sum || match(V, m_Sub(m_Value(X), m_Value(Y)))))
    return std::nullopt;
  std::optional<Linear> L = linear(X, Depth + 1), R = linear(Y, Depth + 1);
  if (!L || !R)
    return std::nullopt;
  Linear Result = Sum ? *L + *R : *L - *R;
  bool Small = std::abs(Result.Rank) <= 1 && std::abs(Result.Size) <= 1;
  return Small ? std::optional(Result) : std::nullopt;
}

Value *Ring::sizeIs(int64_t N, IRBuilderBase &B) const {
  Value *Size =
      B.CreateCall(Model(*B.GetInsertBlock()->getModule()).groupSizeOf(Comm->getType()), {Comm});
  return B.CreateICmpEQ(Size, ConstantInt::get(Size->getType(), N));
}

/// (rank + k) % size == rank  <=>  k % size == 0, where the sum cannot be negative or is rank - 1
/// (for rank 0 that gives -1, or 0 if size is 1).
Value *Ring::foldRemainder(IRBuilderBase &B) const {
  Value *Sum, *Size;
  bool Signed = match(Peer, m_SRem(m_Value(Sum), m_Value(Size)));
  if (!Signed && !match(Peer, m_URem(m_Value(Sum), m_Value(Size))))
    return nullptr;
  std::optional<Linear> L = isSize(Size) ? linear(Sum) : std::nullopt;
  if (!L || L->Rank != 1 || L->Size < 0)
    return nullptr;
  bool NeverNegative = L->Offset >= 0 || (L->Offset == -1 && L->Size == 1);
  if (!NeverNegative && !(Signed && L->Offset == -1))
    return nullptr;
  uint64_t Distance = std::abs(L->Offset);
  if (Distance == 1)
    return sizeIs(1, B);
  return B.CreateIsNull(B.CreateURem(ConstantInt::get(Size->getType(), Distance), Size));
}

/// What `Condition == Holds` says as `linear form = 0`, given 0 <= rank < size: `rank >= size - 1`
/// and `rank <= 0` are equations, too.
std::optional<Linear> Ring::equation(Value *Condition, bool Holds) const {
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  std::optional<Linear> L = Compare ? linear(Compare->getOperand(0)) : std::nullopt;
  std::optional<Linear> R = Compare ? linear(Compare->getOperand(1)) : std::nullopt;
  if (!L || !R)
    return std::nullopt;
  Linear D = *L - *R;
  CmpInst::Predicate P = Holds ? Compare->getPredicate() : Compare->getInversePredicate();
  if (P == CmpInst::ICMP_EQ)
    return D;
  // Unsigned comparisons mean the same where both sides are known not to be negative; say so only
  // of the signed ones, and of those that LLVM marked.
  if (CmpInst::isUnsigned(P) && !Compare->hasSameSign())
    return std::nullopt;
  P = CmpInst::isUnsigned(P) ? ICmpInst::getFlippedSignednessPredicate(P) : P;
  if (P == CmpInst::ICMP_SGT)
    D.Offset -= 1, P = CmpInst::ICMP_SGE;
  if (P == CmpInst::ICMP_SLT || P == CmpInst::ICMP_SLE) {
    if (P == CmpInst::ICMP_SLT)
      D.Offset += 1;
    D = Linear() - D;
    P = CmpInst::ICMP_SGE;
  }
  if (P != CmpInst::ICMP_SGE)
    return std::nullopt;
  // Now D >= 0. It is an equation where D cannot be positive: rank - size + k is at most k - 1, and
  // k - rank at most k.
  bool FromTop = D.Rank == 1 && D.Size == -1 && D.Offset == 1;
  bool FromBottom = D.Rank == -1 && D.Size == 0 && D.Offset == 0;
  return FromTop || FromBottom ? std::optional(D) : std::nullopt;
}

/// The pairs (rank, size) for which both forms are 0: none, or one that is a comparison of the
/// size.
Value *Ring::solve(Linear First, Linear Second, IRBuilderBase &B) const {
  // Solved for whole numbers by elimination; the factors are -1, 0 or 1.
  int64_t Determinant = First.Rank * Second.Size - Second.Rank * First.Size;
  if (Determinant == 0)
    return nullptr;
  int64_t RankTimes = First.Size * Second.Offset - Second.Size * First.Offset;
  int64_t SizeTimes = Second.Rank * First.Offset - First.Rank * Second.Offset;
  if (RankTimes % Determinant || SizeTimes % Determinant)
    return B.getFalse();
  int64_t RankValue = RankTimes / Determinant, SizeValue = SizeTimes / Determinant;
  if (RankValue < 0 || RankValue >= SizeValue)
    return B.getFalse();
  Value *Size = sizeIs(SizeValue, B);
  if (SizeValue == 1) // rank is 0, then
    return Size;
  return B.CreateAnd(Size, B.CreateICmpEQ(Rank, ConstantInt::get(Rank->getType(), RankValue)));
}

/// (C ? X : Y) == rank, where one arm is rank + k and never equal: what is left is C, or not C, and
/// the other arm's equality, two equations in rank and size.
Value *Ring::foldChoice(IRBuilderBase &B) const {
  auto *Choice = dyn_cast<SelectInst>(Peer);
  if (!Choice)
    return nullptr;
  for (bool Holds : {true, false}) {
    Value *Arm = Holds ? Choice->getTrueValue() : Choice->getFalseValue();
    Value *Other = Holds ? Choice->getFalseValue() : Choice->getTrueValue();
    std::optional<Linear> L = linear(Arm), O = linear(Other);
    std::optional<Linear> C = equation(Choice->getCondition(), Holds);
    Linear Self{1, 0, 0};
    if (!L || !O || !C || !(*O - Self).isConstant() || (*O - Self).Offset == 0)
      continue;
    if (Value *Solved = solve(*C, *L - Self, B))
      return Solved;
  }
  return nullptr;
}

Value *Ring::fold(ICmpInst &Compare) const {
  IRBuilder<> B(&Compare);
  Value *Equal = foldRemainder(B);
  if (!Equal)
    Equal = foldChoice(B);
  if (!Equal)
    return nullptr;
  return Compare.getPredicate() == ICmpInst::ICMP_EQ ? Equal : B.CreateNot(Equal);
}

} // namespace

/// (C ? 4 : x) == 5  ->  C ? 4 == 5 : x == 5. LLVM does so only where nobody else uses the choice,
/// but a peer that may be MPI_PROC_NULL is used by the call.
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

PreservedAnalyses FoldMPI::run(Function &F, FunctionAnalysisManager &) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Value *Folded = nullptr;
    if (auto *Call = dyn_cast<CallInst>(&I))
      Folded = foldCall(*Call);
    else if (auto *Compare = dyn_cast<ICmpInst>(&I); Compare && Compare->isEquality()) {
      if (std::optional<Ring> Neighbour = Ring::of(*Compare))
        Folded = Neighbour->fold(*Compare);
      else
        Folded = distributeOverChoice(*Compare);
    }
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
