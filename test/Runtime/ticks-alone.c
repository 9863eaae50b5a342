/* The clock's rate is measured, not assumed. A time that the system measures is the same in ticks, within a
 * twentieth. Before Init, or where a tick takes longer than the time in question, the answer is at least one. */
#include "check.h"
#include "mpispec/machine.h"
#include "progress/ticks.h"

#include <time.h>

static uint64_t nanoseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The loop is long: between two readings of one clock and the other the system may
 * take the core. */
static void agrees_with_the_system(void) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    const uint64_t from = nanoseconds_now(), ticks = mpispec_ticks();
    while (nanoseconds_now() - from < 10 * 1000 * 1000)
      ;
    const uint64_t took = nanoseconds_now() - from, ticked = mpispec_ticks() - ticks;
    const uint64_t expected = mpispec_ticks_in(took);
    if (ticked > expected - expected / 20 && ticked < expected + expected / 20)
      return;
  }
  CHECK(!"the rate is that of the clock");
}

int main(void) {
  CHECK(mpispec_ticks_in(1) >= 1 && mpispec_ticks_in(0) >= 1);
  mpispec_ticks_begin();
  mpispec_ticks_calibrate();
  CHECK(mpispec_ticks_in(1000) >= 1);
  agrees_with_the_system();
  return passed();
}

// RUN: %mpicc %include %s -o %t %runtime
// RUN: %t | FileCheck %s
// CHECK: passed
