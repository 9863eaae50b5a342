/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* barrier.h - MPI_Barrier
 *
 * No rank leaves before all have entered (MPI-4.0, section 6.3).
 *
 *   Barrier [comm has slots, our cell is free] -> show it, await the cells of all others
 *   Barrier [otherwise] -> the ordinary call
 */
#ifndef MPISPEC_BARRIER_H
#define MPISPEC_BARRIER_H

#include "step.h"

/* Not inlined: only the communicator could be a constant, which would save little. */
static __attribute__((__noinline__, __unused__, __no_instrument_function__)) int
mpispec_Barrier(unsigned long comm, const char *place) {
  const unsigned long long signature = mpispec_signature(mpispec_is_Barrier, 0);
  struct mpispec_steps *steps = mpispec_call_steps(comm);
  unsigned long long word;
  if (!steps || !mpispec_step_has_room(steps))
    return mpispec_step_decline(place);
  word = mpispec_steps_word(steps, signature);
  mpispec_slot_cell_show(mpispec_steps_cell(steps, steps->own), word, 0);
  if (!mpispec_step_await_all(steps, word, place))
    return 0;
  mpispec_step_met_all(steps, signature);
  return 1;
}

#endif
