/* See ticks.h. */
#include "progress/ticks.h"

#include "mpispec/machine.h"

#include <time.h>

uint64_t mpispec_ticks_rate = 1024;

static uint64_t begin_ticks, begin_time;

/* Of a clock that nobody sets or slows down. */
static uint64_t nanoseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

void mpispec_ticks_begin(void) {
  begin_time = nanoseconds_now();
  begin_ticks = mpispec_ticks();
}

void mpispec_ticks_calibrate(void) {
  enum { LEAST = 100 * 1000 }; /* ns: the two clocks are read some 50 ns apart */
  uint64_t time, ticks;
  do {
    time = nanoseconds_now() - begin_time;
    ticks = mpispec_ticks() - begin_ticks;
  } while (time < LEAST);
  /* A rate that cannot be is a counter that stood still or was set back. */
  const double rate = (double)ticks * 1024 / (double)time;
  if (rate >= 1 && rate < 1024 * 1024)
    mpispec_ticks_rate = (uint64_t)(rate + 0.5);
}
