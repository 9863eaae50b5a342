/* barrier.h - MPI_Barrier
 *
 * No rank leaves before all have come (MPI-4.0, section 6.3).
 *
 *   Barrier [all ranks of comm have lanes] -> a word to every lane, a word from every lane
 *   Barrier [otherwise] -> the ordinary call
 *
 * Its only variant, generic, requires nothing.
 */
#ifndef MPISPEC_BARRIER_H
#define MPISPEC_BARRIER_H

#include "call.h"

/* The one body and its one variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Barrier(unsigned long comm) {
  (void)comm;
  if (!mpispec_call_has_lanes())
    return 0;
  /* There is no lane to take yet: the caller makes the ordinary call. */
  return 0;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Barrier_generic(unsigned long comm) {
  return mpispec_Barrier(comm);
}

#endif
