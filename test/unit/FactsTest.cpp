// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts: the sides of a call, and answers as text.
#include "Facts/Facts.h"
#include "gtest/gtest.h"

using namespace mpispec;

static llvm::SmallVector<Transfer, 2> sides(llvm::StringRef Name) {
  const FunctionInfo *F = lookUpFunction(Name);
  EXPECT_NE(F, nullptr) << Name.str();
  return F ? transfersOf(*F) : llvm::SmallVector<Transfer, 2>();
}

TEST(Transfers, ASendHasOneSideAndASendrecvTwo) {
  auto Send = sides("MPI_Send");
  ASSERT_EQ(Send.size(), 1u);
  EXPECT_EQ(Send[0].Peer, Role::Peer);
  EXPECT_FALSE(Send[0].Receives);

  auto Both = sides("MPI_Sendrecv");
  ASSERT_EQ(Both.size(), 2u);
  EXPECT_EQ(Both[0].Peer, Role::Destination);
  EXPECT_EQ(Both[0].Count, Role::SendCount);
  EXPECT_EQ(Both[1].Peer, Role::Source);
  EXPECT_EQ(Both[1].Tag, Role::RecvTag);
  EXPECT_TRUE(Both[1].Receives);
}

TEST(Transfers, SidesOfAReplaceShareTheBuffer) {
  auto Both = sides("MPI_Sendrecv_replace");
  ASSERT_EQ(Both.size(), 2u);
  EXPECT_EQ(Both[0].Buffer, Role::Buffer);
  EXPECT_EQ(Both[1].Buffer, Role::Buffer);
  EXPECT_EQ(Both[0].Tag, Role::SendTag);
  EXPECT_EQ(Both[1].Tag, Role::RecvTag);
}

TEST(Transfers, WhatACallDoesNotHaveStaysEmpty) {
  auto Probe = sides("MPI_Probe");
  ASSERT_EQ(Probe.size(), 1u);
  EXPECT_FALSE(Probe[0].Count);
  EXPECT_TRUE(Probe[0].Receives);
  auto Mrecv = sides("MPI_Mrecv");
  ASSERT_EQ(Mrecv.size(), 1u);
  EXPECT_FALSE(Mrecv[0].Peer);
  EXPECT_TRUE(sides("MPI_Barrier").empty());
  EXPECT_TRUE(sides("MPI_Wait").empty());
}

TEST(Transfers, CollectivesHaveNoPeer) {
  EXPECT_EQ(sides("MPI_Bcast").size(), 1u);
  EXPECT_EQ(sides("MPI_Reduce")[0].Buffer, Role::SendBuffer);
  auto Alltoall = sides("MPI_Alltoall");
  ASSERT_EQ(Alltoall.size(), 2u);
  EXPECT_EQ(Alltoall[1].Count, Role::RecvCount);
  for (const Transfer &T : Alltoall)
    EXPECT_FALSE(T.Peer || T.Tag);
}

TEST(Transfers, EveryRoleOfASideIsAnArgument) {
  for (const FunctionInfo &F : allFunctions())
    for (const Transfer &T : transfersOf(F))
      for (std::optional<Role> R : {T.Buffer, T.Count, T.Datatype, T.Peer, T.Tag})
        EXPECT_TRUE(!R || F.find(*R)) << F.Name.str();
}

TEST(Answers, AsText) {
  Answer A;
  EXPECT_EQ(text(A), "unknown");
  A.K = Answer::Range;
  A.Low = -1;
  A.High = 99;
  EXPECT_EQ(text(A), "[-1, 99]");
  A.K = Answer::Constant;
  A.Low = A.High = 4;
  EXPECT_EQ(text(A), "4");
  A.K = Answer::Handle;
  A.Name = "MPI_DOUBLE";
  EXPECT_EQ(text(A), "MPI_DOUBLE");
}
