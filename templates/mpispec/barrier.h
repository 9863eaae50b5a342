/* barrier.h - MPI_Barrier
 *
 * No rank leaves before all have come (MPI-4.0, section 6.3).
 *
 *   Barrier [comm has slots, our cell is free] -> show it, await all others'
 *   Barrier [otherwise] -> the ordinary call
 *
 * Its only variant, generic, requires nothing.
 */
#ifndef MPISPEC_BARRIER_H
#define MPISPEC_BARRIER_H

#include "step.h"

/* The one body, out of line: only the communicator could be known, which is not much. */
static __attribute__((__noinline__, __unused__, __no_instrument_function__)) int
mpispec_Barrier(unsigned long comm) {
  struct mpispec_steps *steps = mpispec_call_steps(comm);
  if (!steps || !mpispec_step_has_room(steps))
    return 0;
  mpispec_steps_show(steps, 0);
  mpispec_step_await_all(steps);
  mpispec_step_met_all(steps);
  return 1;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Barrier_generic(unsigned long comm) {
  return mpispec_Barrier(comm);
}

#endif
