/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Time from the processor's clock. MPI_Init compares this clock with the system's to determine its
 * rate. Afterwards, a test whether some nanoseconds have passed takes the read of a register and a
 * multiplication. */
#ifndef MPISPEC_RUNTIME_TICKS_H
#define MPISPEC_RUNTIME_TICKS_H

#include <stdint.h>

/* Ticks of mpispec_ticks() in 1024 ns. Its value is 1024 before calibration. */
extern uint64_t mpispec_ticks_rate;

/* The ticks in this many nanoseconds, at least 1, because a clock may tick more slowly. */
static inline uint64_t mpispec_ticks_in(uint64_t nanoseconds) {
  const uint64_t ticks = nanoseconds * mpispec_ticks_rate >> 10;
  return ticks ? ticks : 1;
}

/* Called at the begin of MPI_Init and near its end. A longer time between the two calls gives a
 * more exact rate. The second function waits if the time is too short. */
void mpispec_ticks_begin(void);
void mpispec_ticks_calibrate(void);

#endif
