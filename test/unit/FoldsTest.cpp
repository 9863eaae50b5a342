// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds: those about neighbours in a ring against what they stand for; every rank of every small
// communicator is tried.
#include "Facts/Folds.h"
#include "Facts/Model.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mpispec;

namespace {

constexpr const char *Frame = R"(
declare i32 @mpispec.rank(i32)
declare i32 @mpispec.size(i32)
define i1 @f(i32 %comm, i32 %step) {
  %r = call i32 @mpispec.rank(i32 %comm)
  %s = call i32 @mpispec.size(i32 %comm)
  {0}
  ret i1 %answer
}
)";

std::unique_ptr<Module> parseBody(const std::string &Body, LLVMContext &Context) {
  SMDiagnostic Error;
  std::string Text = Frame;
  Text.replace(Text.find("{0}"), 3, Body);
  std::unique_ptr<Module> M = parseAssemblyString(Text, Error, Context);
  EXPECT_TRUE(M) << Error.getMessage().str() << "\n" << Text;
  return M;
}

/// The result of f for \p Rank and \p Size; nothing if that is poison.
std::optional<bool> evaluate(const Module &Original, int Rank, int Size, int Step) {
  std::unique_ptr<Module> M = CloneModule(Original);
  Function &F = *M->getFunction("f");
  Type *Int = Type::getInt32Ty(M->getContext());
  F.getArg(1)->replaceAllUsesWith(ConstantInt::getSigned(Int, Step));
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallInst>(&I)) {
      bool IsRank = Call->getCalledFunction()->getName() == "mpispec.rank";
      Call->replaceAllUsesWith(ConstantInt::getSigned(Int, IsRank ? Rank : Size));
      Call->eraseFromParent();
    }
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (Value *V = simplifyInstruction(&I, SimplifyQuery(M->getDataLayout())))
      I.replaceAllUsesWith(V);
  auto *Return = cast<ReturnInst>(F.getEntryBlock().getTerminator());
  if (auto *Bit = dyn_cast<ConstantInt>(Return->getReturnValue()))
    return Bit->isOne();
  EXPECT_TRUE(isa<PoisonValue>(Return->getReturnValue()));
  return std::nullopt;
}

/// Folds \p Body and tries all ranks; true if the fold changed something.
bool foldAndTry(const std::string &Body) {
  LLVMContext Context;
  std::unique_ptr<Module> Before = parseBody(Body, Context);
  if (!Before)
    return false;
  std::unique_ptr<Module> After = CloneModule(*Before);
  FunctionAnalysisManager Analyses;
  Handles None;
  bool Changed = !FoldMPI(None, {}).run(*After->getFunction("f"), Analyses).areAllPreserved();
  EXPECT_FALSE(verifyModule(*After, &errs())) << Body;
  int Farthest = Before->getFunction("f")->getArg(1)->use_empty() ? 0 : 9;
  for (int Size = 1; Size <= 7; ++Size)
    for (int Rank = 0; Rank < Size; ++Rank)
      for (int Step = -Farthest; Step <= Farthest; ++Step)
        if (std::optional<bool> Expected = evaluate(*Before, Rank, Size, Step)) {
          EXPECT_EQ(evaluate(*After, Rank, Size, Step), Expected)
              << "rank " << Rank << " of " << Size << ", step " << Step << " in\n"
              << Body;
        }
  return Changed;
}

} // namespace

TEST(Model, TheBoundOfItsRangesIsRecognised) {
  LLVMContext Context;
  Module M("model", Context);
  auto Bound = [](FunctionCallee F) {
    auto *Function = cast<llvm::Function>(F.getCallee());
    return Function->getRetAttribute(Attribute::Range).getRange().getSignedMax().getSExtValue();
  };
  Type *Handle = Type::getInt32Ty(Context);
  EXPECT_EQ(Bound(Model(M).rankOf(Handle)), Model::LargestGroup - 1);
  EXPECT_EQ(Bound(Model(M).groupSizeOf(Handle)), Model::LargestGroup);
  for (int64_t Beside : {-2, -1, 0, 1}) // a neighbour's rank
    EXPECT_TRUE(Model::isOfLargestGroup(Model::LargestGroup + Beside));
  for (int64_t OfTheProgram : {int64_t(0), Model::LargestGroup / 2, int64_t(INT32_MAX)})
    EXPECT_FALSE(Model::isOfLargestGroup(OfTheProgram));
}

TEST(Folds, RemaindersKeepTheirMeaning) {
  unsigned Folded = 0;
  for (const char *Remainder : {"srem", "urem"})
    for (int Offset = -4; Offset <= 5; ++Offset)
      for (const char *Predicate : {"eq", "ne"})
        for (const char *Base : {"%b = add i32 %r, 0", "%b = add i32 %r, %s", "%b = sub i32 %r, %s",
                                 "%b = add i32 %s, %s"})
          Folded += foldAndTry(formatv("{0}\n  %x = add i32 %b, {1}\n  %p = {2} i32 %x, %s\n"
                                       "  %answer = icmp {3} i32 %p, %r",
                                       Base, Offset, Remainder, Predicate));
  // rank + k and size + rank + k for k >= 0, with both remainders, and rank - 1.
  EXPECT_GE(Folded, 2u * 2 * 2 * 6 + 4);
}

TEST(Folds, ChoicesKeepTheirMeaning) {
  const char *Arms[] = {"0", "-2", "5", "%last", "%next", "%previous", "%s", "%r"};
  const char *Sides[][2] = {{"%r", "%last"}, {"%next", "%s"}, {"%r", "0"}, {"%r", "1"},
                            {"%s", "%next"}, {"0", "%r"},     {"%r", "%s"}};
  const char *Predicates[] = {"eq",  "ne",  "slt",          "sle",          "sgt",         "sge",
                              "ult", "uge", "samesign ult", "samesign ule", "samesign ugt"};
  unsigned Folded = 0;
  for (const char *Predicate : Predicates)
    for (auto [Left, Right] : Sides)
      for (const char *True : Arms)
        for (const char *False : Arms)
          Folded += foldAndTry(formatv("%last = add i32 %s, -1\n  %next = add i32 %r, 1\n"
                                       "  %previous = add i32 %r, -1\n"
                                       "  %c = icmp {0} i32 {1}, {2}\n"
                                       "  %p = select i1 %c, i32 {3}, i32 {4}\n"
                                       "  %answer = icmp eq i32 %p, %r",
                                       Predicate, Left, Right, True, False));
  EXPECT_GE(Folded, 100u);
}

TEST(Folds, StepsKeepTheirMeaning) {
  const char *Sums[] = {"%x = add nsw i32 %r, %step",
                        "%x = sub nsw i32 %r, %step",
                        "%a = sub nsw i32 %r, %step\n  %x = add nsw i32 %a, %s",
                        "%a = sub nsw i32 %s, %step\n  %x = add nsw i32 %r, %a",
                        "%a = add nsw i32 %r, %step\n  %x = add nsw i32 %a, 1",
                        "%a = sub nsw i32 -2, %step\n  %x = add nsw i32 %r, %a",
                        "%a = and i32 %step, 15\n  %x = add nuw nsw i32 %r, %a"};
  const char *Peers[] = {"%p = srem i32 %x, %s", "%p = urem i32 %x, %s",
                         "%c = icmp slt i32 %x, %s\n  %y = sub nsw i32 %x, %s\n"
                         "  %p = select i1 %c, i32 %x, i32 %y",
                         "%c = icmp slt i32 %x, %s\n  %y = select i1 %c, i32 0, i32 %s\n"
                         "  %p = sub nsw i32 %x, %y"};
  for (const char *Sum : Sums)
    for (const char *Peer : Peers) {
      bool IsFolded = foldAndTry(formatv("{0}\n  {1}\n  %answer = icmp eq i32 %p, %r", Sum, Peer));
      bool IsKnownPositive = StringRef(Sum).contains("and");
      EXPECT_EQ(IsFolded, IsKnownPositive || !StringRef(Peer).contains("urem")) << Sum << Peer;
    }
}

/// A sum that may overflow says nothing.
TEST(Folds, StepsThatMayOverflowAreLeftAlone) {
  for (const char *Sum : {"%x = add i32 %r, %step", "%x = sub i32 %r, %step"})
    EXPECT_FALSE(
        foldAndTry(formatv("{0}\n  %p = srem i32 %x, %s\n  %answer = icmp eq i32 %p, %r", Sum)));
}

/// A neighbour on either side, as a choice and as a sum of one.
TEST(Folds, EitherNeighbourKeepsItsMeaning) {
  const char *Sides[] = {"%next", "%previous", "%above", "%below", "%r", "%last"};
  unsigned Folded = 0;
  for (const char *True : Sides)
    for (const char *False : Sides)
      for (const char *Condition : {"%c = icmp sgt i32 %r, 1", "%c = icmp slt i32 %next, %s"}) {
        std::string Words =
            formatv("%last = add i32 %s, -1\n  %next = add i32 %r, 1\n"
                    "  %previous = add i32 %r, -1\n  %sum = add i32 %previous, %s\n"
                    "  %above = srem i32 %next, %s\n  %below = srem i32 %sum, %s\n  {0}\n",
                    Condition);
        Folded += foldAndTry(Words + formatv("  %p = select i1 %c, i32 {0}, i32 {1}\n"
                                             "  %answer = icmp eq i32 %p, %r",
                                             True, False)
                                         .str());
        Folded +=
            foldAndTry(Words + formatv("  %k = select i1 %c, i32 {0}, i32 {1}\n"
                                       "  %p = srem i32 %k, %s\n  %answer = icmp eq i32 %p, %r",
                                       True, False)
                                   .str());
        Folded +=
            foldAndTry(Words + formatv("  %k = select i1 %c, i32 0, i32 %s\n"
                                       "  %p = sub i32 {0}, %k\n  %answer = icmp eq i32 {1}, %p",
                                       True, "%r")
                                   .str());
      }
  EXPECT_GE(Folded, 40u);
}

TEST(Folds, TheNeighbourInARingAsksForTheSize) {
  LLVMContext Context;
  for (const char *Body :
       {"%x = add i32 %r, 1\n  %p = srem i32 %x, %s\n  %answer = icmp eq i32 %p, %r",
        "%l = add i32 %s, -1\n  %n = add i32 %r, 1\n  %c = icmp eq i32 %r, %l\n"
        "  %p = select i1 %c, i32 0, i32 %n\n  %answer = icmp eq i32 %p, %r",
        "%l = add i32 %s, -1\n  %n = add i32 %r, -1\n  %c = icmp sgt i32 %r, 0\n"
        "  %p = select i1 %c, i32 %n, i32 %l\n  %answer = icmp eq i32 %r, %p"}) {
    std::unique_ptr<Module> M = parseBody(Body, Context);
    FunctionAnalysisManager Analyses;
    FoldMPI(Handles(), {}).run(*M->getFunction("f"), Analyses);
    auto *Return = cast<ReturnInst>(M->getFunction("f")->getEntryBlock().getTerminator());
    auto *Compare = dyn_cast<ICmpInst>(Return->getReturnValue());
    ASSERT_TRUE(Compare) << Body;
    EXPECT_EQ(Compare->getPredicate(), ICmpInst::ICMP_EQ);
    EXPECT_TRUE(cast<ConstantInt>(Compare->getOperand(1))->isOne());
  }
}

TEST(Folds, AnotherCommunicatorsRankIsLeftAlone) {
  EXPECT_FALSE(foldAndTry("%t = call i32 @mpispec.size(i32 7)\n  %x = add i32 %r, 1\n"
                          "  %p = srem i32 %x, %t\n  %answer = icmp eq i32 %p, %r"));
}
