// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selection: the most special template that is proven, and what blocked a better one.
#include "Selection/Selector.h"
#include "SiteBuilder.h"
#include "Support/Remarks.h"
#include "mpispec/contract.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mpispec;

namespace {

constexpr SizeClass Sizes[] = {SizeClass::Dynamic, SizeClass::Short, SizeClass::Long};
constexpr NodeClass Nodes[] = {NodeClass::Dynamic, NodeClass::Remote, NodeClass::Local};
constexpr StringLiteral OneSided[] = {"Send",  "Ssend",  "Rsend", "Bsend",
                                      "Isend", "Issend", "Recv",  "Irecv"};
constexpr StringLiteral TwoSided[] = {"Sendrecv", "Sendrecv_replace"};
constexpr StringLiteral Collectives[] = {"Bcast", "Reduce", "Allreduce", "Alltoall", "Allgather"};

Choice choose(const CallSite &Site, const SiteFacts &Facts) {
  return selectTemplates(Site, Facts).front();
}

Choice choose(StringRef Callee, ArrayRef<TransferFacts> Transfers) {
  CallSite Site = site(Callee);
  return choose(Site, facts(Site, Transfers));
}

std::vector<std::string> ids(const Choice &C) {
  std::vector<std::string> IDs;
  for (const MissedFact &M : C.Missed)
    IDs.push_back(text(M.Remark).str() + (M.Argument.empty() ? "" : "/" + M.Argument));
  return IDs;
}

using IDs = std::vector<std::string>;

} // namespace

TEST(Selector, AOneSidedCallHasTwoTemplates) {
  for (StringRef Function : OneSided)
    for (StringRef Form : {"", "_c"})
      for (SizeClass Size : Sizes)
        for (NodeClass Node : Nodes) {
          Choice C = choose(("MPI_" + Function + Form).str(), side(Size, Node));
          bool IsLong = Size == SizeClass::Long; // 800 kB, long for an Irecv, too
          EXPECT_EQ(C.Form, CallForm::Inline);
          EXPECT_EQ(C.Template, (Function + (IsLong ? "_long" : "")).str());
          // The peer changes no code, and no fact changes the code of a long message.
          EXPECT_EQ(ids(C), Size == SizeClass::Dynamic ? IDs{"size-unknown/count"} : IDs{});
        }
}

TEST(Selector, BothSidesOfACallMustAgree) {
  for (StringRef Function : TwoSided)
    for (NodeClass SendNode : Nodes)
      for (NodeClass RecvNode : Nodes) {
        TransferFacts Both[] = {side(SizeClass::Short, SendNode),
                                side(SizeClass::Dynamic, RecvNode)};
        Choice C = choose(("MPI_" + Function).str(), Both);
        bool IsKnown = SendNode == RecvNode && SendNode != NodeClass::Dynamic;
        EXPECT_EQ(C.Template, IsKnown ? (Function + "_" + text(SendNode)).str() : Function);
      }
}

TEST(Selector, AnExchangeIsLongIfWhatItSendsIs) {
  TransferFacts Both[] = {side(SizeClass::Long, NodeClass::Remote),
                          side(SizeClass::Short, NodeClass::Remote)};
  Choice C = choose("MPI_Sendrecv", Both);
  EXPECT_EQ(C.Template, "Sendrecv_long");
  EXPECT_TRUE(C.Missed.empty());
  std::swap(Both[0], Both[1]); // a short message fits a large buffer
  C = choose("MPI_Sendrecv", Both);
  EXPECT_EQ(C.Form, CallForm::Inline);
  EXPECT_EQ(C.Template, "Sendrecv_remote");
  EXPECT_TRUE(C.Missed.empty());
}

TEST(Selector, WhatNoEditLiftsIsNotAskedAbout) {
  TransferFacts T = side(SizeClass::Dynamic, NodeClass::Dynamic);
  T.PeerIsNull = true;
  Choice C = choose("MPI_Send", T);
  EXPECT_EQ(C.Form, CallForm::Ordinary);
  EXPECT_TRUE(C.Missed.empty());
  EXPECT_FALSE(C.WhyOrdinary.empty());
}

TEST(Selector, ARangeAboveOneCellGoesToTheRuntime) {
  TransferFacts T = side(SizeClass::Short, NodeClass::Remote);
  T.Count = range(10, 100);
  T.Bytes = range(80, 800);
  Choice C = choose("MPI_Send", T);
  EXPECT_EQ(C.Template, "Send_long");
  EXPECT_EQ(ids(C), IDs{"size-unknown/count"}); // a constant would be inline
  EXPECT_EQ(choose("MPI_Recv", T).Template, "Recv");
  T.Count = range(1, 100);
  T.Bytes = range(8, 800);
  EXPECT_EQ(choose("MPI_Send", T).Template, "Send");
  EXPECT_EQ(choose("MPI_Recv", T).Template, "Recv");
}

// An Irecv is posted without a look at its message: only the length matters, up to 64 KiB.
TEST(Selector, AnIrecvIsPostedUpToWhatIsSentEagerly) {
  TransferFacts T = side(SizeClass::Long, NodeClass::Remote);
  T.Bytes = T.Count = constant(64 * 1024);
  EXPECT_EQ(choose("MPI_Irecv", T).Template, "Irecv");
  EXPECT_EQ(choose("MPI_Isend", T).Template, "Isend_long");
  T.Bytes = T.Count = constant(64 * 1024 + 1);
  EXPECT_EQ(choose("MPI_Irecv", T).Template, "Irecv_long");
  T.Bytes = T.Count = range(2000, 1 << 20); // the template asks
  EXPECT_EQ(choose("MPI_Irecv", T).Template, "Irecv");
}

TEST(Selector, AnyTagIsInlineInABlockingReceiveOnly) {
  TransferFacts T = side(SizeClass::Short, NodeClass::Remote);
  T.Tag = handle("MPI_ANY_TAG");
  for (StringRef Callee : {"MPI_Recv", "MPI_Irecv"}) {
    Choice C = choose(Callee, T);
    EXPECT_EQ(C.Form, Callee == "MPI_Recv" ? CallForm::Inline : CallForm::Ordinary);
    EXPECT_EQ(ids(C), IDs{"wildcard-tag/tag"});
  }
}

TEST(Selector, AReductionNeedsAnOperation) {
  CallSite Site = site("MPI_Allreduce");
  SiteFacts Facts = facts(Site, side(SizeClass::Short, NodeClass::Dynamic));
  Choice C = choose(Site, Facts);
  EXPECT_EQ(C.Form, CallForm::Ordinary);
  EXPECT_EQ(ids(C), IDs{"operation-unknown/op"});
  Facts.Op = handle("MPI_SUM");
  EXPECT_EQ(choose(Site, Facts).Form, CallForm::Inline);
  Facts.Op = handle("MPI_MAXLOC"); // not the templates'
  C = choose(Site, Facts);
  EXPECT_EQ(C.Form, CallForm::Ordinary);
  EXPECT_TRUE(C.Missed.empty());
}

TEST(Selector, AHintSaysWhatItIsAbout) {
  CallSite Site = site("MPI_Send");
  SiteFacts Facts = facts(Site, side(SizeClass::Dynamic, NodeClass::Remote));
  MissedFact M = choose(Site, Facts).Missed[0];
  EXPECT_EQ(M.Variable, "count");
  EXPECT_EQ(M.Scope, "exchange");
  EXPECT_EQ(M.problem(), "count 'count' is unknown");
  EXPECT_EQ(M.Text, M.problem().str() + ": " + M.Edit);
  Site.Spellings[1].K = Spelling::Static;
  EXPECT_EQ(choose(Site, Facts).Missed[0].Scope, "");
}

TEST(Selector, EachSideIsBlamedByItsOwnName) {
  TransferFacts Both[] = {side(SizeClass::Short, NodeClass::Remote),
                          side(SizeClass::Dynamic, NodeClass::Dynamic)};
  EXPECT_EQ(ids(choose("MPI_Sendrecv", Both)),
            (IDs{"size-unknown/receive count", "peer-unknown/source"}));
  std::swap(Both[0], Both[1]);
  EXPECT_EQ(ids(choose("MPI_Sendrecv", Both)),
            (IDs{"size-unknown/send count", "peer-unknown/destination"}));
}

TEST(Selector, ASharedCountIsBlamedOnce) {
  TransferFacts Both[] = {side(SizeClass::Dynamic, NodeClass::Remote),
                          side(SizeClass::Dynamic, NodeClass::Remote)};
  EXPECT_EQ(ids(choose("MPI_Sendrecv_replace", Both)), IDs{"size-unknown/count"});
}

TEST(Selector, AWildcardIsNeitherRemoteNorLocal) {
  for (StringRef Callee : {"MPI_Recv", "MPI_Irecv"})
    for (NodeClass Node : Nodes) {
      TransferFacts T = side(SizeClass::Short, Node);
      T.PeerIsWildcard = T.PeerMayBeWildcard = true;
      Choice C = choose(Callee, T);
      EXPECT_EQ(ids(C), IDs{"wildcard-source/peer"});
      EXPECT_EQ(C.Form, Callee == "MPI_Recv" ? CallForm::Inline : CallForm::Ordinary);
    }
}

TEST(Selector, APossibleWildcardIsNeitherRemoteNorLocal) {
  for (NodeClass Node : Nodes) {
    TransferFacts T = side(SizeClass::Long, Node);
    T.PeerMayBeWildcard = true;
    Choice C = choose("MPI_Recv", T);
    EXPECT_EQ(C.Template, "Recv_long"); // which declines if it is one
    EXPECT_TRUE(C.Missed.empty());
    T.PeerIsWildcard = true;
    EXPECT_EQ(choose("MPI_Recv", T).Form, CallForm::Ordinary);
  }
  TransferFacts Both[] = {side(SizeClass::Short, NodeClass::Remote),
                          side(SizeClass::Short, NodeClass::Remote)};
  Both[1].PeerMayBeWildcard = true;
  Choice C = choose("MPI_Sendrecv", Both);
  ASSERT_EQ(ids(C), IDs{"peer-unknown/source"});
  EXPECT_EQ(C.Missed[0].Text, "source 'source' may be this process itself or MPI_ANY_SOURCE: guard "
                              "the call with 'if (source >= 0 && source != rank)', rank being that "
                              "in comm");
}

TEST(Selector, AWildcardOnTheReceivingSideTakesTheCall) {
  TransferFacts Both[] = {side(SizeClass::Short, NodeClass::Remote),
                          side(SizeClass::Short, NodeClass::Remote)};
  Both[1].PeerIsWildcard = Both[1].PeerMayBeWildcard = true;
  Choice C = choose("MPI_Sendrecv", Both);
  EXPECT_EQ(C.Form, CallForm::Ordinary);
  EXPECT_EQ(ids(C), IDs{"wildcard-source/source"});
}

TEST(Selector, AMessageToNobodyIsTheOrdinaryCalls) {
  TransferFacts T = side(SizeClass::Short, NodeClass::Dynamic);
  T.Peer = handle("MPI_PROC_NULL");
  T.PeerIsNull = true;
  Choice C = choose("MPI_Send", T);
  EXPECT_EQ(C.Form, CallForm::Ordinary);
  EXPECT_TRUE(C.Missed.empty());
}

TEST(Selector, AnUnknownDatatypeLeavesTheSizeOpen) {
  for (SizeClass Size : Sizes) {
    TransferFacts T = side(Size, NodeClass::Remote);
    T.Datatype = Answer();
    T.DatatypeSize.reset();
    T.Contiguous = false;
    Choice C = choose("MPI_Send", T);
    EXPECT_EQ(ids(C), IDs{"datatype-unknown/datatype"});
    EXPECT_EQ(C.Form, CallForm::Ordinary);
  }
}

TEST(Selector, ADatatypeWithGapsLeavesTheSizeOpen) {
  TransferFacts T = side(SizeClass::Short, NodeClass::Local);
  T.Datatype = handle("MPI_SHORT_INT");
  T.DatatypeSize = 6;
  T.Contiguous = false;
  Choice C = choose("MPI_Send", T);
  EXPECT_EQ(C.Form, CallForm::Ordinary);
  ASSERT_EQ(ids(C), IDs{"datatype-unknown/datatype"});
  EXPECT_TRUE(StringRef(C.Missed[0].Text).starts_with("MPI_SHORT_INT may have gaps"));
}

TEST(Selector, ACollectiveHasOneTemplateAtMost) {
  for (StringRef Function : Collectives) {
    std::string Callee = ("MPI_" + Function).str();
    size_t SideCount = transfersOf(*lookUpFunction(Callee)).size();
    bool HasTemplate = is_contained({"Bcast", "Reduce", "Allreduce"}, Function);
    for (SizeClass Size : Sizes)
      for (bool Predefined : {false, true}) {
        CallSite Site = site(Callee);
        TransferFacts T = side(Size, NodeClass::Dynamic);
        T.Contiguous = Predefined;
        SiteFacts Facts = facts(Site, SmallVector<TransferFacts, 2>(SideCount, T));
        Facts.Op = handle("MPI_SUM");
        Choice C = choose(Site, Facts);
        bool IsInline = HasTemplate && Predefined && Size != SizeClass::Long;
        EXPECT_EQ(C.Form, IsInline ? CallForm::Inline : CallForm::Ordinary);
        EXPECT_EQ(C.Template, IsInline ? Function : "");
        if (!HasTemplate || (Size == SizeClass::Long && Predefined))
          EXPECT_TRUE(C.Missed.empty()) << Function.str();
      }
  }
}

TEST(Selector, WhatOnlyTheOrdinaryCallDoesSaysWhy) {
  TransferFacts T = side(SizeClass::Short, NodeClass::Dynamic);
  for (StringRef Callee : {"MPI_Alltoall", "MPI_Allgather"}) {
    Choice C = choose(Callee, {T, T});
    EXPECT_EQ(C.Form, CallForm::Ordinary);
    EXPECT_EQ(C.WhyOrdinary, "there is no template: all ranks have data for all");
  }
}

TEST(Selector, ABarrierHasNothingToMiss) {
  Choice C = choose("MPI_Barrier", {});
  EXPECT_EQ(C.Template, "Barrier");
  EXPECT_TRUE(C.Missed.empty());
}

TEST(Selector, CompletionsDependOnTheStatus) {
  for (StringRef Function : {"Wait", "Test", "Waitall"}) {
    CallSite Site = site(("MPI_" + Function).str());
    SiteFacts Facts = facts(Site, {});
    Choice Used = choose(Site, Facts);
    EXPECT_EQ(Used.Template, Function);
    ASSERT_EQ(Used.Missed.size(), 1u);
    EXPECT_EQ(Used.Missed[0].Remark, RemarkID::StatusUsed);
    Facts.StatusIgnored = true;
    Choice Ignored = choose(Site, Facts);
    EXPECT_EQ(Ignored.Template, (Function + "_ignore").str());
    EXPECT_TRUE(Ignored.Missed.empty());
  }
}

TEST(Selector, AFunctionWithoutTemplateIsLeft) {
  Choice C = choose("MPI_Start", {});
  EXPECT_EQ(C.Template, "");
  EXPECT_EQ(ids(C), IDs{"no-template"});
}

TEST(Selector, AnObstacleWins) {
  CallSite Site = site("MPI_Send");
  for (RemarkID Obstacle :
       {RemarkID::CalleeAttribute, RemarkID::InSystemMacro, RemarkID::InSystemHeader}) {
    Site.Obstacle = Obstacle;
    Choice C = choose(Site, facts(Site, side(SizeClass::Short, NodeClass::Remote)));
    EXPECT_EQ(C.Template, "");
    EXPECT_EQ(ids(C), IDs{text(Obstacle).str()});
    EXPECT_TRUE(StringRef(C.Missed[0].Text).contains(": ")) << "no edit: " << C.Missed[0].Text;
  }
}

TEST(Selector, ACallThatIsNeverExecutedIsLeft) {
  CallSite Site = site("MPI_Send");
  SiteFacts Facts = facts(Site, side(SizeClass::Short, NodeClass::Remote));
  Facts.Copies = 0;
  Choice C = choose(Site, Facts);
  EXPECT_EQ(C.Template, "");
  EXPECT_EQ(ids(C), IDs{"never-executed"});
}

TEST(Selector, PartialFactsAreSaidButNotUsed) {
  CallSite Site = site("MPI_Send");
  SiteFacts Facts = facts(Site, side(SizeClass::Dynamic, NodeClass::Remote));
  Facts.Partial = {"count is 4 in 2 of 3 copies"};
  Choice C = choose(Site, Facts);
  EXPECT_EQ(C.Template, "Send");
  EXPECT_EQ(ids(C), (IDs{"size-unknown/count", "partial-facts"}));
  EXPECT_TRUE(StringRef(C.Missed[1].Text).starts_with("count is 4 in 2 of 3 copies: "));
}

TEST(Selector, TheEditIsInTheProgramsOwnWords) {
  CallSite Site = site("MPI_Sendrecv_replace_c");
  Site.Arguments[3] = "neighbours[i]";
  TransferFacts Both[] = {side(SizeClass::Dynamic, NodeClass::Dynamic),
                          side(SizeClass::Dynamic, NodeClass::Remote)};
  Choice C = choose(Site, facts(Site, Both));
  ASSERT_EQ(C.Missed.size(), 2u);
  EXPECT_EQ(C.Missed[0].Text, "count 'count' is unknown: make 'count' const, or pass a literal");
  EXPECT_EQ(C.Missed[1].Text,
            "destination 'neighbours[i]' may be this process itself: guard the call with "
            "'if (neighbours[i] != rank)', rank being that in comm");
}

TEST(Selector, TheEditFitsWhatTheArgumentIs) {
  CallSite Site = site("MPI_Send");
  auto Edit = [&](Spelling::Kind K) {
    Site.Spellings[1].K = K;
    return choose(Site, facts(Site, side(SizeClass::Dynamic, NodeClass::Remote))).Missed[0].Text;
  };
  EXPECT_TRUE(StringRef(Edit(Spelling::Parameter))
                  .ends_with(": make 'exchange' static and pass it one constant everywhere"));
  EXPECT_TRUE(StringRef(Edit(Spelling::Expression)).ends_with(": pass a constant"));
  EXPECT_TRUE(StringRef(Edit(Spelling::Static)).contains(": make 'count' const,"));
}

TEST(Selector, ACountOnBothSidesOfTheBoundIsSaidToBe) {
  CallSite Site = site("MPI_Send");
  TransferFacts T = side(SizeClass::Dynamic, NodeClass::Remote);
  T.Count = range(0, 1000);
  EXPECT_TRUE(StringRef(choose(Site, facts(Site, T)).Missed[0].Text)
                  .starts_with("count 'count' is in [0, 1000]: "));
}

TEST(Selector, ALongArgumentIsCutShort) {
  CallSite Site = site("MPI_Send");
  Site.Arguments[1] = std::string(200, 'x');
  Choice C = choose(Site, facts(Site, side(SizeClass::Dynamic, NodeClass::Remote)));
  ASSERT_EQ(C.Missed.size(), 1u);
  EXPECT_LT(C.Missed[0].Text.size(), 160u);
}

TEST(Selector, ManySitesKeepTheirOrder) {
  CallSite Sites[] = {site("MPI_Send", 0), site("MPI_Barrier", 1)};
  SiteFacts Facts[] = {facts(Sites[0], side(SizeClass::Short, NodeClass::Local)),
                       facts(Sites[1], {})};
  std::vector<Choice> Choices = selectTemplates(Sites, Facts);
  ASSERT_EQ(Choices.size(), 2u);
  EXPECT_EQ(Choices[0].Template, "Send");
  EXPECT_EQ(Choices[1].Site, 1u);
  EXPECT_EQ(Choices[1].Template, "Barrier");
}

TEST(TemplateCatalog, ACellIsATemplateOfItsFunctionOrTheOrdinaryCall) {
  StringSet<> Used;
  for (const TemplateRow &R : allTemplateRows()) {
    EXPECT_NE(lookUpFunction(("MPI_" + R.Function).str()), nullptr) << R.Function.str();
    EXPECT_TRUE(is_contained(make_pointer_range(templateRowsOf(R.Function)), &R))
        << R.Function.str() << ": all rows of a function stand together";
    for (StringRef Cell : R.Cells)
      if (Cell != OrdinaryCell) {
        EXPECT_EQ(templateNamed(Cell).Function, R.Function) << Cell.str();
        Used.insert(Cell);
      }
  }
  for (const TemplateInfo &T : allTemplates())
    EXPECT_TRUE(Used.contains(T.Name)) << T.Name.str() << ": no cell has it";
  EXPECT_TRUE(templateRowsOf("Start").empty());
}

// Whatever is known, there is a cell, and its row comes after none that would do as well.
TEST(TemplateCatalog, TheLastRowRequiresNothingAndTheFirstFitIsTheMostSpecial) {
  for (const TemplateRow &R : allTemplateRows()) {
    EXPECT_TRUE(templateRowsOf(R.Function).back().isFulfilledBy({})) << R.Function.str();
    for (SizeClass Size : Sizes)
      EXPECT_EQ(templateCell(R.Function, {Size, R.Node, R.StatusIgnored}), R.cell(Size));
  }
}

// FastPath.cpp has the reasons, the tables have the cells: both must agree.
TEST(TemplateCatalog, OrdinaryCellsAreThoseWithoutAFastPath) {
  for (const TemplateRow &R : allTemplateRows()) {
    CallSite Site = site(("MPI_" + R.Function).str());
    size_t SideCount = transfersOf(*Site.Function).size();
    for (SizeClass Size : Sizes) {
      TransferFacts T = side(Size, R.Node);
      if (Size == SizeClass::Long) { // by a little
        int64_t Longest = templateFunction(R.Function).Longest;
        int64_t Count = std::max<int64_t>(Longest, mpispec_short_bytes) / 8 + 1;
        T.Count = constant(Count), T.Bytes = constant(8 * Count);
      }
      SmallVector<TransferFacts, 2> Both(SideCount, T);
      SiteFacts Facts = facts(Site, Both);
      Facts.Op = handle("MPI_SUM");
      Facts.StatusIgnored = R.StatusIgnored;
      Choice C = choose(Site, Facts);
      StringRef Cell = R.cell(SideCount ? Size : SizeClass::Dynamic);
      EXPECT_EQ(C.Form == CallForm::Ordinary, Cell == OrdinaryCell) << R.Function.str();
      EXPECT_EQ(C.Template, Cell == OrdinaryCell ? "" : Cell) << R.Function.str();
    }
  }
}
