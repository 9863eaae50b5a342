/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See ticks.h. */
#include "progress/ticks.h"

#include "mpispec/machine.h"

#include <time.h>

uint64_t mpispec_ticks_rate = 1024;

static uint64_t begin_ticks, begin_time;

/* Reads a clock that is never set or slowed down. */
static uint64_t nanoseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* Reads both clocks at one time. The system may take the core between the two readings. Therefore
 * the function reads them several times and keeps the readings that took least time. */
static void read_clocks(uint64_t *time, uint64_t *ticks) {
  enum { READINGS = 5 };
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < READINGS; ++i) {
    const uint64_t before = mpispec_ticks(), now = nanoseconds_now();
    const uint64_t took = mpispec_ticks() - before;
    if (took >= least)
      continue;
    least = took;
    *time = now;
    *ticks = before + took / 2;
  }
}

void mpispec_ticks_begin(void) { read_clocks(&begin_time, &begin_ticks); }

void mpispec_ticks_calibrate(void) {
  enum { LEAST = 100 * 1000 }; /* ns: the two clocks are read some 50 ns apart */
  uint64_t time, ticks;
  while (nanoseconds_now() - begin_time < LEAST)
    ;
  read_clocks(&time, &ticks);
  time -= begin_time;
  ticks -= begin_ticks;
  /* An impossible rate means that the counter stopped or was set back. */
  const double rate = (double)ticks * 1024 / (double)time;
  if (rate >= 1 && rate < 1024 * 1024)
    mpispec_ticks_rate = (uint64_t)(rate + 0.5);
}
