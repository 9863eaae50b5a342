//===- Neighbours.cpp - Comparisons of a ring neighbour with the caller -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts/Neighbours.h"
#include "Facts/Model.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
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

namespace {

/// Rank * rank(c) + Size * size(c) + Offset. Rank and size are at most Model::LargestGroup, and the
/// factors are small. Therefore no sum overflows, neither here (64 bits) nor in the program (32
/// bits).
struct Linear {
  int64_t Rank = 0, Size = 0, Offset = 0;

  Linear operator-(const Linear &Other) const {
    return {Rank - Other.Rank, Size - Other.Size, Offset - Other.Offset};
  }
  Linear operator+(const Linear &Other) const {
    return {Rank + Other.Rank, Size + Other.Size, Offset + Other.Offset};
  }
  bool isConstant() const { return Rank == 0 && Size == 0; }
  bool isSmall() const { return std::abs(Rank) <= 1 && std::abs(Size) <= 1; }
};

/// The caller's own rank.
constexpr Linear Self{1, 0, 0};

/// Sum + Step, or Sum - Step, for an arbitrary value Step. Null: no step.
struct Stepped {
  Linear Sum;
  Value *Step = nullptr;
  bool IsDown = false;

  bool isFromSelf() const { return Step && Sum.Rank == 1; }
};

/// A comparison of a value with the caller's rank in one communicator.
class Ring {
public:
  /// The ring if one operand of \p Compare is a rank; the other operand is Peer.
  static std::optional<Ring> of(ICmpInst &Compare);
  /// A simpler value for `Peer == rank`, or null.
  Value *fold(ICmpInst &Compare) const;

private:
  /// Condition ? True : False
  struct Choice {
    Value *Condition;
    Linear True, False;
  };

  Value *isRank(Value *V, IRBuilderBase &B, unsigned Depth = 0) const;
  Value *foldRemainder(Value *V, IRBuilderBase &B) const;
  Value *foldRemainder(const Linear &Sum, Value *Size, bool Signed, IRBuilderBase &B) const;
  Value *foldChoice(const Choice &C, IRBuilderBase &B) const;
  Value *foldMeeting(PHINode &Meeting) const;
  Value *foldSteppedRemainder(Value *Sum, Value *Size, bool Signed, IRBuilderBase &B) const;
  Value *foldStepped(const Stepped &Peer, IRBuilderBase &B) const;
  Value *foldSteppedChoice(Value *V, IRBuilderBase &B) const;
  Stepped stepped(Value *V, bool Signed = true, unsigned Depth = 0) const;
  std::optional<Linear> linear(Value *V, unsigned Depth = 0) const;
  std::optional<Choice> choice(Value *V) const;
  std::optional<Linear> equation(Value *Condition, bool Holds) const;
  Value *solve(Linear First, Linear Second, IRBuilderBase &B) const;
  Value *size(IRBuilderBase &B) const;
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
  return Result.isSmall() ? std::optional(Result) : std::nullopt;
}

/// \p V as one of two sums, or nothing. LLVM writes `c ? x - size : x` as `x - (c ? size : 0)`.
std::optional<Ring::Choice> Ring::choice(Value *V) const {
  Value *X = nullptr, *Y = nullptr, *Condition = nullptr;
  if (match(V, m_Select(m_Value(Condition), m_Value(X), m_Value(Y)))) {
    std::optional<Linear> True = linear(X), False = linear(Y);
    return True && False ? std::optional(Choice{Condition, *True, *False}) : std::nullopt;
  }
  bool Sum = match(V, m_Add(m_Value(X), m_Value(Y)));
  if (!Sum && !match(V, m_Sub(m_Value(X), m_Value(Y))))
    return std::nullopt;
  bool IsFirst = isa<SelectInst>(X);
  std::optional<Choice> C =
      isa<SelectInst>(IsFirst ? X : Y) ? choice(IsFirst ? X : Y) : std::nullopt;
  std::optional<Linear> Other = linear(IsFirst ? Y : X);
  if (!C || !Other)
    return std::nullopt;
  for (Linear *Arm : {&C->True, &C->False}) {
    if (Sum)
      *Arm = *Arm + *Other;
    else
      *Arm = IsFirst ? *Arm - *Other : *Other - *Arm;
    if (!Arm->isSmall())
      return std::nullopt;
  }
  return C;
}

/// \p V as a sum and a step, which may be \p V itself. Sums with the step do not overflow as signed
/// numbers (\p Signed) or as unsigned ones. In an unsigned sum no part is negative.
Stepped Ring::stepped(Value *V, bool Signed, unsigned Depth) const {
  Value *X, *Y;
  std::optional<Linear> Known = linear(V, Depth);
  if (Known && (Signed || (Known->Rank >= 0 && Known->Size >= 0 && Known->Offset >= 0)))
    return {*Known, nullptr, false};
  bool Sum = Signed ? match(V, m_NSWAdd(m_Value(X), m_Value(Y)))
                    : match(V, m_NUWAdd(m_Value(X), m_Value(Y)));
  bool Difference = Signed ? match(V, m_NSWSub(m_Value(X), m_Value(Y)))
                           : match(V, m_NUWSub(m_Value(X), m_Value(Y)));
  if (Depth == 4 || !(Sum || Difference))
    return {{}, V, false};
  Stepped L = stepped(X, Signed, Depth + 1), R = stepped(Y, Signed, Depth + 1);
  Linear Both = Sum ? L.Sum + R.Sum : L.Sum - R.Sum;
  if ((L.Step && R.Step) || !Both.isSmall())
    return {{}, V, false};
  return L.Step ? Stepped{Both, L.Step, L.IsDown} : Stepped{Both, R.Step, R.IsDown == Sum};
}

Value *Ring::size(IRBuilderBase &B) const {
  Model Pure(*B.GetInsertBlock()->getModule());
  return B.CreateCall(Pure.groupSizeOf(Comm->getType()), {Comm});
}

Value *Ring::sizeIs(int64_t N, IRBuilderBase &B) const {
  Value *Size = size(B);
  return B.CreateICmpEQ(Size, ConstantInt::get(Size->getType(), N));
}

/// (rank + k) % size == rank <=> k % size == 0, if the sum cannot be negative or is rank - 1. For
/// rank 0 the latter gives -1, or 0 if size is 1.
Value *Ring::foldRemainder(const Linear &Sum, Value *Size, bool Signed, IRBuilderBase &B) const {
  if (Sum.Rank != 1 || Sum.Size < 0)
    return nullptr;
  bool NeverNegative = Sum.Offset >= 0 || (Sum.Offset == -1 && Sum.Size == 1);
  if (!NeverNegative && !(Signed && Sum.Offset == -1))
    return nullptr;
  uint64_t Distance = std::abs(Sum.Offset);
  if (Distance == 1)
    return B.CreateICmpEQ(Size, ConstantInt::get(Size->getType(), 1));
  return B.CreateIsNull(B.CreateURem(ConstantInt::get(Size->getType(), Distance), Size));
}

/// The same for an arbitrary step k: (rank + k) % size == rank  <=>  k % size == 0, where the sum
/// is not negative. If the sum is negative, the remainder can only equal rank 0.
Value *Ring::foldSteppedRemainder(Value *Sum, Value *Size, bool Signed, IRBuilderBase &B) const {
  Stepped Far = stepped(Sum, Signed);
  if (!Far.isFromSelf())
    return nullptr;
  Value *Remainder;
  if (int64_t Offset = Far.Sum.Offset) {
    Value *Fixed = B.getInt64(Offset), *Step = B.CreateIntCast(Far.Step, B.getInt64Ty(), Signed);
    Remainder = B.CreateSRem(Far.IsDown ? B.CreateNSWSub(Fixed, Step) : B.CreateNSWAdd(Step, Fixed),
                             B.CreateSExt(Size, B.getInt64Ty()));
  } else {
    Remainder = Signed ? B.CreateSRem(Far.Step, Size) : B.CreateURem(Far.Step, Size);
  }
  Value *Equal = B.CreateIsNull(Remainder);
  if (!Signed || isKnownNonNegative(Sum, B.GetInsertBlock()->getDataLayout()))
    return Equal;
  return B.CreateAnd(Equal, B.CreateOr(B.CreateIsNotNeg(Sum), B.CreateIsNull(Rank)));
}

/// rank + k + m * size + n == rank  <=>  k == -(m * size + n), with m = -1, 0 or 1.
Value *Ring::foldStepped(const Stepped &Peer, IRBuilderBase &B) const {
  Value *Rest = ConstantInt::getSigned(Rank->getType(), Peer.Sum.Offset);
  if (Peer.Sum.Size)
    Rest = Peer.Sum.Size > 0 ? B.CreateNSWAdd(Rest, size(B)) : B.CreateNSWSub(Rest, size(B));
  return B.CreateICmpEQ(Peer.Step, Peer.IsDown ? Rest : B.CreateNSWNeg(Rest));
}

/// rank + k - (c ? size : 0) == rank
Value *Ring::foldSteppedChoice(Value *V, IRBuilderBase &B) const {
  Value *X, *Condition, *True, *False;
  if (!match(V, m_NSWSub(m_Value(X), m_Select(m_Value(Condition), m_Value(True), m_Value(False)))))
    return nullptr;
  Stepped From = stepped(X);
  std::optional<Linear> IfTrue = linear(True), IfFalse = linear(False);
  if (!From.isFromSelf() || !IfTrue || !IfFalse)
    return nullptr;
  Value *Equal[2];
  for (bool Holds : {false, true}) {
    Stepped Peer = From;
    Peer.Sum = From.Sum - (Holds ? *IfTrue : *IfFalse);
    if (!Peer.isFromSelf() || !Peer.Sum.isSmall())
      return nullptr;
    Equal[Holds] = foldStepped(Peer, B);
  }
  return B.CreateSelect(Condition, Equal[true], Equal[false]);
}

/// A simpler value for `V == rank` if \p V is a remainder of a sum and the size, else null. The sum
/// may be a choice between two sums.
Value *Ring::foldRemainder(Value *V, IRBuilderBase &B) const {
  Value *Sum, *Size;
  bool Signed = match(V, m_SRem(m_Value(Sum), m_Value(Size)));
  if (!Signed && !match(V, m_URem(m_Value(Sum), m_Value(Size))))
    return nullptr;
  if (!isSize(Size))
    return nullptr;
  if (std::optional<Linear> L = linear(Sum))
    return foldRemainder(*L, Size, Signed, B);
  std::optional<Choice> C = choice(Sum);
  if (!C)
    return foldSteppedRemainder(Sum, Size, Signed, B);
  Value *True = foldRemainder(C->True, Size, Signed, B);
  Value *False = True ? foldRemainder(C->False, Size, Signed, B) : nullptr;
  return False ? B.CreateSelect(C->Condition, True, False) : nullptr;
}

/// The equation `linear form = 0` that follows from `Condition == Holds` and 0 <= rank < size.
/// Examples are `rank >= size - 1` and `rank <= 0`.
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
  // An unsigned comparison equals the signed one if neither operand is negative. LLVM marks such
  // comparisons (samesign).
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
  // Now D >= 0. If D cannot be positive, D is 0. The maximum of rank - size + k is k - 1, and the
  // maximum of k - rank is k.
  bool FromTop = D.Rank == 1 && D.Size == -1 && D.Offset == 1;
  bool FromBottom = D.Rank == -1 && D.Size == 0 && D.Offset == 0;
  return FromTop || FromBottom ? std::optional(D) : std::nullopt;
}

/// For which pairs (rank, size) are both forms 0? Returns false if there is none, a comparison with
/// the pair if there is one, and null if there may be several.
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
  if (SizeValue == 1) // then rank is 0
    return Size;
  return B.CreateAnd(Size, B.CreateICmpEQ(Rank, ConstantInt::get(Rank->getType(), RankValue)));
}

/// `(C ? X : Y) == rank`, if both operands have the form rank + k, or if one of them has this form
/// with k != 0. An operand with k != 0 never equals rank. Therefore C must choose the other
/// operand, and that operand must equal rank. These conditions are two equations in rank and size.
Value *Ring::foldChoice(const Choice &C, IRBuilderBase &B) const {
  Linear True = C.True - Self, False = C.False - Self;
  if (True.isConstant() && False.isConstant())
    return B.CreateSelect(C.Condition, B.getInt1(True.Offset == 0), B.getInt1(False.Offset == 0));
  for (bool Holds : {true, false}) {
    const Linear &Arm = Holds ? True : False, &Other = Holds ? False : True;
    std::optional<Linear> Condition = equation(C.Condition, Holds);
    if (!Condition || !Other.isConstant() || Other.Offset == 0)
      continue;
    if (Value *Solved = solve(*Condition, Arm, B))
      return Solved;
  }
  return nullptr;
}

/// `Meeting == rank`: each incoming value is compared at the end of its block.
Value *Ring::foldMeeting(PHINode &Meeting) const {
  SmallDenseMap<BasicBlock *, Value *, 4> Equal; // a block may occur twice among the incoming ones
  for (unsigned I = 0; I < Meeting.getNumIncomingValues(); ++I) {
    Value *&Here = Equal[Meeting.getIncomingBlock(I)];
    IRBuilder<> B(Meeting.getIncomingBlock(I)->getTerminator());
    Here = Here ? Here : isRank(Meeting.getIncomingValue(I), B, 1);
    if (!Here)
      return nullptr;
  }
  IRBuilder<> B(&Meeting);
  PHINode *Result = B.CreatePHI(B.getInt1Ty(), Meeting.getNumIncomingValues());
  for (BasicBlock *From : Meeting.blocks())
    Result->addIncoming(Equal[From], From);
  return Result;
}

/// A simpler value for `V == rank`, or null.
Value *Ring::isRank(Value *V, IRBuilderBase &B, unsigned Depth) const {
  if (auto *Meeting = dyn_cast<PHINode>(V))
    return Depth ? nullptr : foldMeeting(*Meeting);
  if (std::optional<Linear> L = linear(V); L && (*L - Self).isConstant())
    return B.getInt1((*L - Self).Offset == 0);
  if (Value *Equal = foldRemainder(V, B))
    return Equal;
  if (std::optional<Choice> C = choice(V))
    return foldChoice(*C, B);
  if (Stepped Far = stepped(V); Far.isFromSelf())
    return foldStepped(Far, B);
  if (Value *Equal = foldSteppedChoice(V, B))
    return Equal;
  // A choice between two neighbours. Each may have a different form.
  auto *Either = dyn_cast<SelectInst>(V);
  if (!Either || Depth)
    return nullptr;
  Value *True = isRank(Either->getTrueValue(), B, Depth + 1);
  Value *False = True ? isRank(Either->getFalseValue(), B, Depth + 1) : nullptr;
  return False ? B.CreateSelect(Either->getCondition(), True, False) : nullptr;
}

Value *Ring::fold(ICmpInst &Compare) const {
  IRBuilder<> B(&Compare);
  Value *Equal = isRank(Peer, B);
  if (!Equal)
    return nullptr;
  return Compare.getPredicate() == ICmpInst::ICMP_EQ ? Equal : B.CreateNot(Equal);
}

} // namespace

std::optional<Value *> foldRankComparison(ICmpInst &Compare) {
  std::optional<Ring> Neighbour = Ring::of(Compare);
  return Neighbour ? std::optional(Neighbour->fold(Compare)) : std::nullopt;
}

} // namespace mpispec
