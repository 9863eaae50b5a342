/* bcast.h - MPI_Bcast
 *
 * A broadcast from root (MPI-4.0, section 6.4). Ranks may describe the same bytes by different
 * counts and datatypes, so nothing but their total chooses the algorithm.
 *
 *   Bcast [all ranks of comm have lanes] -> root writes to every lane
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

#include "call.h"

/* The one body; size and predefined are constants in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bcast(void *buffer, long long count, long long element, int root, unsigned long comm,
              enum mpispec_size size, int predefined) {
  (void)buffer;
  (void)count;
  (void)element;
  (void)root;
  (void)comm;
  (void)size;
  (void)predefined;
  if (!mpispec_call_has_lanes())
    return 0;
  /* There is no lane to take yet: the caller makes the ordinary call. */
  return 0;
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
