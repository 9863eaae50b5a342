// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Process.h"
#include "gtest/gtest.h"
#include <chrono>
#include <csignal>

using namespace mpispec;

// The end of a child ends the wait at once, though no signal is held. Without SIGCHLD, a wait takes
// a second.
TEST(Process, WaitEndsWithTheChild) {
  auto Start = std::chrono::steady_clock::now();
  for (int I = 0; I < 10; ++I)
    EXPECT_TRUE(run({"sleep", "0.01"}).succeeded());
  EXPECT_LT(std::chrono::steady_clock::now() - Start, std::chrono::seconds(5));
}

// A parent process may have been started with SIGCHLD ignored. Its children have statuses all the
// same.
TEST(Process, StatusIsKeptWhereTheSignalIsIgnored) {
  std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(run({"sh", "-c", "exit 3"}).exitStatus(), 3);
}

// Children start with the signal mask that this process had.
TEST(Process, ChildrenHaveTheOriginalMask) {
  EXPECT_TRUE(run({"true"}).succeeded());
  std::optional<std::string> Blocked =
      outputOf({"sed", "-n", "s/^SigBlk:[[:space:]]*//p", "/proc/self/status"});
  ASSERT_TRUE(Blocked);
  EXPECT_EQ(*Blocked, "0000000000000000\n");
}
