/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls sched_yield, with the shortest time slices where they are needed. See yield.h.
 *
 * A change of slices is a system call that takes as long as a yield. Therefore only threads that
 * share their core with a program that computes change them: a yield shows that by its length. */
#include "progress/yield.h"

#include "mpispec/machine.h"
#include "progress/ticks.h"
#include "progress/tuning.h"

#include <linux/types.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A copy of struct sched_attr: some versions of <sched.h> conflict with linux/sched/types.h. */
struct scheduling {
  __u32 size, policy;
  __u64 flags;
  __s32 nice;
  __u32 priority;
  __u64 slice, deadline, period; /* ns */
  __u32 least, most;
};

_Thread_local int mpispec_slices_are_short;

#define THREAD static _Thread_local __attribute__((tls_model("initial-exec")))

THREAD struct scheduling own; /* while slices are short: what the thread had */
THREAD unsigned waits;        /* the next waits that request short slices when they yield */

static int has_usual_policy(void) {
  own = (struct scheduling){.size = sizeof own};
  return !syscall(SYS_sched_getattr, 0, &own, sizeof own, 0) && own.policy == SCHED_OTHER;
}

static void shorten_slices(void) {
  if (!has_usual_policy()) {
    waits = 0;
    return;
  }
  struct scheduling shortest = own;
  shortest.flags = 0;
  shortest.slice = MPISPEC_SLICE;
  mpispec_slices_are_short = !syscall(SYS_sched_setattr, 0, &shortest, 0);
}

/* The program may have changed its policy or priority in a handler; then they stay. */
void mpispec_slices_set_back(void) {
  const __u64 slice = own.slice;
  mpispec_slices_are_short = 0;
  waits -= waits != 0;
  if (!has_usual_policy() || own.slice != MPISPEC_SLICE)
    return;
  own.flags = 0;
  own.slice = slice;
  syscall(SYS_sched_setattr, 0, &own, 0);
}

void mpispec_yield(void) {
  if (waits && !mpispec_slices_are_short)
    shorten_slices();
  const uint64_t begin = mpispec_ticks();
  sched_yield();
  if (mpispec_ticks() - begin > mpispec_ticks_in(MPISPEC_LONG_YIELD))
    waits = MPISPEC_SHORT_SLICE_WAITS;
}
