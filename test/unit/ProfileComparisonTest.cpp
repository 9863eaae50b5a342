//===- ProfileComparisonTest.cpp - Two runs, site by site and path by path --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Profile/ProfileComparison.h"
#include "gtest/gtest.h"

using namespace mpispec;

namespace {

RunFrame frame(const char *Function, unsigned Line) {
  RunFrame F;
  F.Function = Function;
  F.File = "/home/me/halo.c";
  F.Line = Line;
  return F;
}

RunPath path(const char *Function, double Time, std::vector<RunFrame> Frames) {
  RunPath P;
  P.Function = Function;
  P.Frames = std::move(Frames);
  P.Calls = 10;
  P.Bytes = 80;
  P.Time = Time;
  P.Waiting = Time / 2;
  return P;
}

RunProfile run(unsigned Frames, std::vector<RunPath> Paths) {
  RunProfile Run;
  Run.Frames = Frames;
  Run.Paths = std::move(Paths);
  return Run;
}

using Labels = std::vector<std::string>;

TEST(ProfileComparison, OneWrapperFromTwoPlacesIsTwoRows) {
  auto Paths = [](double First, double Second) {
    return run(2, {path("MPI_Bcast", First, {frame("wrapper", 4), frame("first", 11)}),
                   path("MPI_Bcast", Second, {frame("wrapper", 4), frame("second", 12)})});
  };
  std::vector<ComparedRow> Rows = comparePaths(Paths(1, 2), Paths(4, 3));
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].Frames, (Labels{"wrapper (halo.c:4)", "first (halo.c:11)"}));
  EXPECT_EQ(Rows[0].Function, "MPI_Bcast");
  EXPECT_EQ(Rows[0].Before.Time, 1);
  EXPECT_EQ(Rows[0].After.Time, 4);
  EXPECT_EQ(Rows[1].Before.Time, 2);
  EXPECT_EQ(Rows[1].After.Time, 3);
  EXPECT_EQ(Rows[1].After.Calls, 10u);
  EXPECT_EQ(Rows[1].After.Bytes, 80u);
  EXPECT_EQ(Rows[1].After.Waiting, 1.5);
}

TEST(ProfileComparison, ThePathWhoseLinesMovedIsTheSame) {
  std::vector<ComparedRow> Rows =
      comparePaths(run(1, {path("MPI_Send", 1, {frame("put", 4), frame("main", 9)})}),
                   run(1, {path("MPI_Send", 2, {frame("put", 5), frame("main", 14)})}));
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].Frames, (Labels{"put (halo.c:5)", "main (halo.c:14)"}));
  EXPECT_EQ(Rows[0].Before.Time, 1);
  EXPECT_EQ(Rows[0].After.Time, 2);
}

TEST(ProfileComparison, TwoPathsThatMovedAreNotGuessed) {
  std::vector<ComparedRow> Rows =
      comparePaths(run(1, {path("MPI_Send", 1, {frame("put", 4), frame("main", 9)})}),
                   run(1, {path("MPI_Send", 2, {frame("put", 5), frame("main", 14)}),
                           path("MPI_Send", 3, {frame("put", 5), frame("main", 15)})}));
  ASSERT_EQ(Rows.size(), 3u);
  EXPECT_FALSE(Rows[0].Before.Joined);
  EXPECT_FALSE(Rows[1].Before.Joined);
  EXPECT_FALSE(Rows[2].After.Joined);
}

TEST(ProfileComparison, AFrameWithoutANameIsNoReasonToJoin) {
  RunFrame Old, New;
  Old.Object = New.Object = "/lib/solver.so";
  Old.Offset = 16;
  New.Offset = 32;
  EXPECT_EQ(comparePaths(run(1, {path("MPI_Send", 1, {frame("put", 4), Old})}),
                         run(1, {path("MPI_Send", 1, {frame("put", 4), New})}))
                .size(),
            2u);
}

TEST(ProfileComparison, TheRunWithMoreFramesLosesItsOuterOnes) {
  RunProfile Deep =
      run(2, {path("MPI_Send", 1, {frame("put", 4), frame("step", 7), frame("main", 9)}),
              path("MPI_Send", 2, {frame("put", 4), frame("step", 7), frame("main", 10)})});
  RunProfile Flat = run(1, {path("MPI_Send", 4, {frame("put", 4), frame("step", 7)})});
  for (bool IsLater : {false, true}) {
    std::vector<ComparedRow> Rows = IsLater ? comparePaths(Flat, Deep) : comparePaths(Deep, Flat);
    ASSERT_EQ(Rows.size(), 1u);
    const SideOfRow &Joined = IsLater ? Rows[0].After : Rows[0].Before;
    EXPECT_EQ(Joined.Joined, 2u);
    EXPECT_EQ(Joined.Calls, 20u);
    EXPECT_EQ(Joined.Time, 3);
  }
}

TEST(ProfileComparison, WithoutFramesThereAreNoPaths) {
  RunProfile With = run(1, {path("MPI_Send", 1, {frame("put", 4), frame("main", 9)})});
  RunProfile Without = run(0, {path("MPI_Send", 1, {frame("put", 4)})});
  EXPECT_TRUE(comparePaths(With, Without).empty());
  EXPECT_TRUE(comparePaths(Without, With).empty());
}

TEST(ProfileComparison, SitesOfOnePlaceAddTheTimeOfEachRank) {
  auto Site = [](double First, double Second) {
    RunSite S;
    S.Function = "MPI_Send";
    S.Symbol = "put";
    S.Time = First + Second;
    S.Ranks.resize(2);
    S.Ranks[0].Time = First;
    S.Ranks[1].Time = Second;
    return S;
  };
  RunProfile Before, After;
  Before.Sites = {Site(3, 1), Site(0, 4)};
  After.Sites = {Site(3, 1)};
  std::vector<ComparedRow> Rows = compareSites(Before, After);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].Place, "put");
  EXPECT_EQ(Rows[0].Before.Joined, 2u);
  EXPECT_EQ(Rows[0].Before.imbalance(), 1.25);
  EXPECT_EQ(Rows[0].After.imbalance(), 1.5);
}

/// A run whose calls, in one function, each have the advice one-message.
RunProfile runWithShortMessages(std::vector<unsigned> Lines) {
  RunProfile Run;
  Run.Time = double(Lines.size());
  for (unsigned Line : Lines) {
    RunSite S;
    S.Function = "MPI_Send";
    S.File = "/home/me/halo.c";
    S.Within = "put";
    S.Line = Line;
    S.Calls = S.RunOn = 1000;
    S.Time = 1;
    Run.Sites.push_back(S);
  }
  return Run;
}

/// "still halo.c:5", ... for each advice of a comparison.
std::vector<std::string> comparedAdvice(const RunProfile &Before, const RunProfile &After) {
  std::vector<std::string> Result;
  const llvm::json::Object Compared = comparisonValue(Before, After);
  for (const llvm::json::Value &A : *Compared.getArray("advice"))
    if (*A.getAsObject()->getString("id") == "one-message")
      Result.push_back(
          (*A.getAsObject()->getString("state") + " " + *A.getAsObject()->getString("place"))
              .str());
  return Result;
}

TEST(ProfileComparison, AdviceFollowsACallToAnotherLine) {
  EXPECT_EQ(comparedAdvice(runWithShortMessages({4}), runWithShortMessages({5})),
            Labels{"still halo.c:5"});
  EXPECT_EQ(comparedAdvice(runWithShortMessages({4}), runWithShortMessages({5, 9})),
            (Labels{"new halo.c:5", "new halo.c:9", "gone halo.c:4"}));
}

} // namespace
