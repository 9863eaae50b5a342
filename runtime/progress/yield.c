/* Calls sched_yield, with the shortest time slices. See yield.h. */
#include "progress/yield.h"
#include "progress/tuning.h"

#include <linux/types.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As linux/sched/types.h has it, which cannot be read beside every <sched.h>. */
struct scheduling {
  __u32 size, policy;
  __u64 flags;
  __s32 nice;
  __u32 priority;
  __u64 slice, deadline, period; /* ns */
  __u32 least, most;
};

static void ask_for_short_slices(void) {
  struct scheduling mine = {.size = sizeof mine};
  if (syscall(SYS_sched_getattr, 0, &mine, sizeof mine, 0) || mine.policy != SCHED_OTHER)
    return;
  mine.flags = 0;
  mine.slice = MPISPEC_SLICE;
  syscall(SYS_sched_setattr, 0, &mine, 0);
}

void mpispec_yield(void) {
  static _Thread_local int has_asked;
  if (!has_asked)
    ask_for_short_slices();
  has_asked = 1;
  sched_yield();
}
