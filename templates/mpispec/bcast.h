/* bcast.h - MPI_Bcast
 *
 * A broadcast from root (MPI-4.0, section 6.4). Ranks may describe the same bytes by different
 * counts and datatypes, so nothing but their total chooses the algorithm.
 *
 *   Bcast [comm has slots, predefined, bytes fit a cell that is free] -> root shows them
 *   Bcast [comm has slots, predefined, root shows as many bytes in a cell] -> copy them
 *   Bcast [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   short       the bytes that a rank gives are at most mpispec_short_bytes
 *   long        they are more than that
 *   predefined  the datatype is predefined and contiguous
 *   generic     nothing
 */
#ifndef MPISPEC_BCAST_H
#define MPISPEC_BCAST_H

#include "step.h"

/* The one body; size and predefined are constants in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bcast(void *buffer, long long count, long long element, int root, unsigned long comm,
              enum mpispec_size size, int predefined) {
  const unsigned long long bytes = predefined ? mpispec_step_bytes(count, element, size) : 0;
  struct mpispec_steps *steps = bytes ? mpispec_call_steps(comm) : 0;
  const struct mpispec_slot_cell *cell;
  if (!steps || !buffer || (unsigned int)root >= (unsigned int)steps->members)
    return 0;
  if (root == steps->self) {
    if (!mpispec_step_has_room(steps))
      return 0;
    mpispec_step_put_bytes(steps, buffer, bytes, element);
  } else {
    cell = mpispec_steps_cell(steps, steps->slots[root]);
    if (!mpispec_steps_are_shown(steps, cell) || cell->length != bytes)
      return 0;
    mpispec_copy(buffer, cell->payload, bytes, element);
  }
  mpispec_steps_end(steps, 0);
  return 1;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bcast_short_predefined(void *buffer, long long count, long long element, int root,
                               unsigned long comm) {
  return mpispec_Bcast(buffer, count, element, root, comm, mpispec_size_short, 1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bcast_long_predefined(void *buffer, long long count, long long element, int root,
                              unsigned long comm) {
  return mpispec_Bcast(buffer, count, element, root, comm, mpispec_size_long, 1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bcast_predefined(void *buffer, long long count, long long element, int root,
                         unsigned long comm) {
  return mpispec_Bcast(buffer, count, element, root, comm, mpispec_size_dynamic, 1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bcast_short(void *buffer, long long count, long long element, int root,
                    unsigned long comm) {
  return mpispec_Bcast(buffer, count, element, root, comm, mpispec_size_short, 0);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bcast_long(void *buffer, long long count, long long element, int root, unsigned long comm) {
  return mpispec_Bcast(buffer, count, element, root, comm, mpispec_size_long, 0);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bcast_generic(void *buffer, long long count, long long element, int root,
                      unsigned long comm) {
  return mpispec_Bcast(buffer, count, element, root, comm, mpispec_size_dynamic, 0);
}

#endif
