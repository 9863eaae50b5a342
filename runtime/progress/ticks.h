/* The processor's clock in nanoseconds: how fast it ticks is found out at Init, by comparing it
 * with the system's. A comparison of two times then costs a read of a register and a
 * multiplication. */
#ifndef MPISPEC_RUNTIME_TICKS_H
#define MPISPEC_RUNTIME_TICKS_H

#include <stdint.h>

/* Ticks of mpispec_ticks() in 1024 ns; 1024 until it is known. */
extern uint64_t mpispec_ticks_rate;

/* Ticks in so many nanoseconds, at least 1: a clock may tick slower than that. */
static inline uint64_t mpispec_ticks_in(uint64_t nanoseconds) {
  const uint64_t ticks = nanoseconds * mpispec_ticks_rate >> 10;
  return ticks ? ticks : 1;
}

/* At the beginning of MPI_Init, and when it is nearly over: the longer that takes, the better is
 * the rate known. Waits if less than some 0.1 ms have gone by. */
void mpispec_ticks_begin(void);
void mpispec_ticks_calibrate(void);

#endif
