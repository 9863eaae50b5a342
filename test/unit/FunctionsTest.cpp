/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "MPI/Functions.h"
#include "gtest/gtest.h"

using namespace mpispec;

TEST(Functions, LooksUpByTheNameInTheProgram) {
  ASSERT_NE(lookUpFunction("MPI_Send"), nullptr);
  EXPECT_EQ(lookUpFunction("MPI_Send")->find(Role::Tag), 4u);
  EXPECT_EQ(lookUpFunction("MPI_Send_c"), lookUpFunction("MPI_Send"));
  EXPECT_EQ(lookUpFunction("PMPI_Send"), nullptr);
  EXPECT_EQ(lookUpFunction("Send"), nullptr);
}
