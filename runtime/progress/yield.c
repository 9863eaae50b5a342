/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls sched_yield, with the shortest time slices. See yield.h. */
#include "progress/yield.h"

#include "mpispec/machine.h"
#include "progress/doorbell.h"
#include "progress/progress.h"
#include "progress/ticks.h"
#include "progress/tuning.h"

#include <linux/types.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
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

static void request_short_slices(void) {
  struct scheduling mine = {.size = sizeof mine};
  if (syscall(SYS_sched_getattr, 0, &mine, sizeof mine, 0) || mine.policy != SCHED_OTHER)
    return;
  mine.flags = 0;
  mine.slice = MPISPEC_SLICE;
  syscall(SYS_sched_setattr, 0, &mine, 0);
}

static int keeps_slices;

void mpispec_yield_keep_slices(void) { keeps_slices = 1; }

void mpispec_yield(void) {
  static _Thread_local int has_requested;
  if (!has_requested && !keeps_slices)
    request_short_slices();
  has_requested = 1;
  sched_yield();
}

static int nap(long length) {
  const struct timespec time = {.tv_nsec = length};
  syscall(SYS_nanosleep, &time, NULL); /* unlike nanosleep, no cancellation point */
  return 1;
}

/* A nap that an origin can end (origin.h). The first call only arms the doorbell. The caller polls
 * between the calls. */
static int nap_on_doorbell(long length) {
  static _Thread_local __attribute__((tls_model("initial-exec"))) uint32_t armed;
  const uint32_t word = armed;
  armed = word ? 0 : mpispec_doorbell_arm();
  if (word)
    mpispec_doorbell_sleep(word, length);
  return word != 0;
}

int mpispec_nap_in_wait(uint64_t begin) {
  const uint64_t waited = mpispec_ticks() - begin, least = mpispec_ticks_in(MPISPEC_NAP_AFTER);
  if (waited < least || !mpispec_doorbells_sleep())
    return 0;
  const uint64_t longest = MPISPEC_SLEEP,
                 length = MPISPEC_NAP_AFTER * (waited / least) / MPISPEC_NAP_PART;
  const long shorter = (long)(length < longest ? length : longest);
  return mpispec_progress_has_windows() ? nap_on_doorbell(shorter) : nap(shorter);
}
