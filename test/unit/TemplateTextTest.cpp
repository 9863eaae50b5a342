/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "Rewrite/TemplateText.h"
#include "Selection/TemplateCatalog.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mpispec;

TEST(TemplateText, DefinesEveryTemplateThatSelectionCanChoose) {
  for (const TemplateInfo &T : allTemplates()) {
    StringRef Header = templateHeader(templateFunction(T.Function).Header);
    ASSERT_FALSE(Header.empty()) << T.Function.str();
    StringRef Function = T.Function;
    EXPECT_TRUE(StringRef(templateText(Function)).contains(("\nmpispec_" + T.Body + "(").str()))
        << T.Name.str();
  }
}

TEST(TemplateText, PastesWhatAHeaderIncludesOnceAndFirst) {
  std::string Text = templateText({"Send", "Recv"});
  StringRef All = Text;
  EXPECT_EQ(All.count("struct mpispec_state {"), 1u);
  EXPECT_EQ(All.count("enum mpispec_locality {"), 1u);
  size_t State = All.find("struct mpispec_state {"),
         Guard = All.find("mpispec_call_route(unsigned");
  size_t Body = All.find("\nmpispec_Send(");
  EXPECT_LT(State, Guard);
  EXPECT_LT(Guard, Body);
  EXPECT_NE(All.find("\nmpispec_Recv("), StringRef::npos);
  EXPECT_EQ(All.find("mpispec_Bcast"), StringRef::npos);
}

// No x86 instruction goes to another processor, and nothing of the runtime's to anybody.
TEST(TemplateText, TakesTheBranchOfTheProcessor) {
  std::string X86 = templateText({"Send", "Recv"});
  std::string Other = templateText({"Send", "Recv"}, HandleStyle::MPICH, /*CheckFacts=*/false,
                                   /*ForX86=*/false);
  EXPECT_NE(X86.find("prefetchw"), std::string::npos);
  EXPECT_EQ(X86.find("__builtin_prefetch(line"), std::string::npos);
  EXPECT_EQ(Other.find("prefetchw"), std::string::npos);
  EXPECT_EQ(Other.find("__builtin_ia32"), std::string::npos);
  EXPECT_NE(Other.find("__builtin_prefetch(line"), std::string::npos);
  for (StringRef Text : {StringRef(X86), StringRef(Other)}) {
    EXPECT_FALSE(Text.contains("mpispec_ticks"));
    EXPECT_EQ(Text.count("\nmpispec_pause(void)"), 1u);
  }
}

// The handles are the unit's, and no other's.
TEST(TemplateText, TakesTheStyleOfTheHandles) {
  std::pair<HandleStyle, StringRef> Marks[] = {
      {HandleStyle::MPICH, "int count_high_and_cancelled;"},
      {HandleStyle::ABI, "int inside[5]"},
      {HandleStyle::OMPI, "unsigned long bytes;"}};
  for (auto [Style, Own] : Marks) {
    std::string Text = templateText({"Recv", "Wait"}, Style);
    for (auto [Other, Mark] : Marks)
      EXPECT_EQ(StringRef(Text).count(Mark) == 1, Other == Style) << Mark.str();
    EXPECT_EQ(StringRef(Text).count("\"" + stateSymbol(Style) + "\""), 1u);
    EXPECT_EQ(StringRef(Text).count("\"mpispec_state_"), 1u);
  }
}

// Preprocessed text takes no directive, and C89 no line comment.
TEST(TemplateText, HasNoDirective) {
  for (const TemplateInfo &T : allTemplates()) {
    std::string Text = templateText({T.Function});
    SmallVector<StringRef, 0> Lines;
    StringRef(Text).split(Lines, '\n');
    for (StringRef Line : Lines) {
      EXPECT_FALSE(Line.ltrim().starts_with("#")) << Line.str();
      EXPECT_FALSE(Line.contains("//")) << Line.str();
    }
  }
}
