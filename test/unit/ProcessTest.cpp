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

// The mask of this process does not change, so that children of other functions have no signal
// blocked.
TEST(Process, MaskIsAsBefore) {
  sigset_t Before, After;
  sigprocmask(SIG_SETMASK, nullptr, &Before);
  EXPECT_TRUE(run({"true"}).succeeded());
  sigprocmask(SIG_SETMASK, nullptr, &After);
  for (int Signal = 1; Signal < SIGRTMIN; ++Signal)
    EXPECT_EQ(sigismember(&Before, Signal), sigismember(&After, Signal)) << Signal;
}
