/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* bcast.h - MPI_Bcast
 *
 * A broadcast from root (MPI-4.0, section 6.4). Ranks may describe the same bytes by different
 * counts and datatypes. Therefore only the total of the bytes decides which algorithm is used.
 *
 *   Bcast [comm has slots, predefined, bytes fit a cell that is free] -> root shows them
 *   Bcast [comm has slots, predefined, root shows a part of this length in a cell] -> copy it
 *   Bcast [otherwise] -> the ordinary call
 */
#ifndef MPISPEC_BCAST_H
#define MPISPEC_BCAST_H

#include "step.h"

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bcast(void *buffer, long long count, long long element, int root, unsigned long comm,
              const char *place) {
  const unsigned long long signature =
      mpispec_signature(mpispec_is_Bcast, mpispec_signature_root(root));
  const unsigned long long bytes = mpispec_step_bytes(count, element);
  struct mpispec_steps *steps;
  const struct mpispec_slot_cell *cell;
  if (!bytes)
    return __builtin_constant_p(bytes) ? 0 : mpispec_step_decline(place);
  steps = mpispec_call_steps(comm);
  if (!steps || !buffer || (unsigned int)root >= (unsigned int)steps->members)
    return mpispec_step_decline(place);
  if (root == steps->self) {
    if (!mpispec_step_has_room(steps))
      return mpispec_step_decline(place);
    if (__builtin_constant_p(root))
      mpispec_steps_fetch_own(steps);
    mpispec_step_put_bytes(steps, mpispec_steps_word(steps, signature), buffer, bytes, element);
  } else {
    cell = mpispec_steps_cell(steps, steps->slots[root]);
    if (!mpispec_slot_cell_is_shown(cell, mpispec_steps_word(steps, signature)) ||
        cell->length != bytes)
      return mpispec_step_decline(place);
    mpispec_copy(buffer, cell->payload, bytes, element);
  }
  mpispec_step_done(steps, signature);
  return 1;
}

#endif
