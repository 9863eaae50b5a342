//===- AnalysisProtocolTest.cpp - The driver reads all that the analysis writes ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/AnalysisProtocol.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mpispec;

namespace {

TEST(AnalysisProtocol, CountsAreReadBack) {
  AnalysisAnswer A;
  A.Sites = 4;
  A.Rewritten = 3;
  A.Ordinary = 3;
  A.HasDiagnostics = true;
  std::string Line = writeAnswer(A);
  EXPECT_EQ(Line, "sites=4 rewritten=3 inline=0 ordinary=3 diagnostics=1\n");
  AnalysisAnswer Read = readAnswer(Line);
  EXPECT_EQ(Read.K, AnalysisAnswer::Read);
  EXPECT_EQ(Read.Ordinary, 3u);
  EXPECT_TRUE(Read.HasDiagnostics);
}

TEST(AnalysisProtocol, TheTextOfAReasonIsTheRestOfItsFirstLine) {
  AnalysisAnswer A;
  A.K = AnalysisAnswer::Failed;
  A.Reason = "fallback-parse-error";
  A.Text = "a.c:1: expected  ')' text= sites=7\nsecond line";
  AnalysisAnswer Read = readAnswer(writeAnswer(A));
  EXPECT_EQ(Read.K, AnalysisAnswer::Failed);
  EXPECT_EQ(Read.Reason, A.Reason);
  EXPECT_EQ(Read.Text, "a.c:1: expected  ')' text= sites=7");
  EXPECT_EQ(Read.Sites, 0u);
}

TEST(AnalysisProtocol, WhatIsNotKnownIsPassedOver) {
  for (StringRef Line : {"", "\n", "noise", " later=1  =2 ", "sites=many diagnostics=0"}) {
    AnalysisAnswer Read = readAnswer(Line);
    EXPECT_EQ(Read.Sites, 0u);
    EXPECT_FALSE(Read.HasDiagnostics);
    EXPECT_EQ(Read.Reason, "");
  }
}

TEST(AnalysisProtocol, OptionsAreWrittenWithAndWithoutAValue) {
  EXPECT_EQ(AnalysisOption::CheckFacts.option(), "--check-facts");
  EXPECT_EQ(AnalysisOption::Output.option("a b.i"), "--output=a b.i");
}

} // namespace
