/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Polls of an empty lane in a call that waits for one message. The call polls only this lane for a
 * while before it does anything else, such as posting its receive or making other progress. */
#ifndef MPISPEC_RUNTIME_LANE_POLLS_H
#define MPISPEC_RUNTIME_LANE_POLLS_H

#include "mpispec/machine.h"
#include "progress/lock.h"
#include "progress/oversubscription.h"
#include "progress/progress.h"

/* The number of polls. 1 if the call must not hold the lock for many polls. */
unsigned mpispec_lane_polls(void);

/* For an oversubscribed rank, before the last `polls` polls: pauses or yields its core. Returns 0
 * if the caller must stop, because it must make other progress (mpispec_progress_yield). */
int mpispec_lane_relax(unsigned polls);

/* Called after a poll in vain, of which `*polls` are left with this one. Returns 0 if the caller
 * must stop, because that was the last one or another thread waits for the lock. An oversubscribed
 * rank may yield its core between two polls. The path from one yield to the next is short, because
 * a switch of the processor leaves little of the runtime's code in its caches. */
static inline __attribute__((always_inline)) int mpispec_lane_poll_again(unsigned *polls) {
  if (!--*polls || mpispec_lock_is_wanted())
    return 0;
  mpispec_progress_waits();
  if (__builtin_expect(mpispec_is_oversubscribed(), 0))
    return mpispec_lane_relax(*polls);
  mpispec_pause();
  return 1;
}

#endif
