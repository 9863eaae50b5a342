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
              const char *place, enum mpispec_size size, int predefined) {
  const unsigned long long signature =
      mpispec_signature(mpispec_is_Bcast, mpispec_signature_root(root));
  const unsigned long long bytes = predefined ? mpispec_step_bytes(count, element, size) : 0;
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

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bcast_short_predefined(void *buffer, long long count, long long element, int root,
                               unsigned long comm, const char *place) {
  return mpispec_Bcast(buffer, count, element, root, comm, place, mpispec_size_short, 1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bcast_long_predefined(void *buffer, long long count, long long element, int root,
                              unsigned long comm, const char *place) {
  return mpispec_Bcast(buffer, count, element, root, comm, place, mpispec_size_long, 1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bcast_predefined(void *buffer, long long count, long long element, int root,
                         unsigned long comm, const char *place) {
  return mpispec_Bcast(buffer, count, element, root, comm, place, mpispec_size_dynamic, 1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bcast_short(void *buffer, long long count, long long element, int root, unsigned long comm,
                    const char *place) {
  return mpispec_Bcast(buffer, count, element, root, comm, place, mpispec_size_short, 0);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bcast_long(void *buffer, long long count, long long element, int root, unsigned long comm,
                   const char *place) {
  return mpispec_Bcast(buffer, count, element, root, comm, place, mpispec_size_long, 0);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bcast_generic(void *buffer, long long count, long long element, int root,
                      unsigned long comm, const char *place) {
  return mpispec_Bcast(buffer, count, element, root, comm, place, mpispec_size_dynamic, 0);
}

#endif
