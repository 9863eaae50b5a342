/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See lane_polls.h. */
#include "progress/lane_polls.h"

#include "progress/doorbell.h"
#include "progress/parking.h"
#include "progress/tuning.h"

static int sleeps_at_once(void) {
  return mpispec_doorbells_used && mpispec_awake_rounds == MPISPEC_SPINS_OVERSUBSCRIBED;
}

/* A test may have stored a greater number of polls. */
static unsigned polls_of_oversubscribed(void) {
  const unsigned polls = MPISPEC_LANE_SPINS + MPISPEC_LANE_YIELDS;
  return mpispec_state.polls > polls ? mpispec_state.polls : polls;
}

unsigned mpispec_lane_polls(void) {
  if (mpispec_is_oversubscribed() && !mpispec_lock_is_shared() && !sleeps_at_once())
    return polls_of_oversubscribed();
  if (!mpispec_lock_stays())
    return 1;
  return mpispec_threads_take_turns() ? mpispec_thread_wait.polls : mpispec_state.polls;
}

int mpispec_lane_relax(unsigned polls) {
  if (polls <= MPISPEC_LANE_YIELDS && !mpispec_lock_is_shared())
    return mpispec_progress_yield();
  mpispec_pause();
  return 1;
}
