/* allreduce.h - MPI_Allreduce
 *
 * A reduction whose result all ranks get (MPI-4.0, section 6.9.6), done in rank order.
 *
 *   Allreduce [all ranks of comm have lanes, predefined] -> contributions through lanes, each rank
 *                                                            reduces
 *   Allreduce [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   short       the bytes that a rank gives are at most mpispec_short_bytes
 *   long        they are more than that
 *   predefined  the datatype is predefined and contiguous
 *   generic     nothing
 */
#ifndef MPISPEC_ALLREDUCE_H
#define MPISPEC_ALLREDUCE_H

#include "call.h"

/* The one body; size and predefined are constants in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Allreduce(const void *send_buffer, void *recv_buffer, long long count, long long element,
                  unsigned long op, unsigned long comm, enum mpispec_size size, int predefined) {
  (void)send_buffer;
  (void)recv_buffer;
  (void)count;
  (void)element;
  (void)op;
  (void)comm;
  (void)size;
  (void)predefined;
  if (!mpispec_call_has_lanes())
    return 0;
  /* There is no lane to take yet: the caller makes the ordinary call. */
  return 0;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Allreduce_short_predefined(const void *send_buffer, void *recv_buffer, long long count,
                                   long long element, unsigned long op, unsigned long comm) {
  return mpispec_Allreduce(send_buffer, recv_buffer, count, element, op, comm, mpispec_size_short,
                           1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Allreduce_long_predefined(const void *send_buffer, void *recv_buffer, long long count,
                                  long long element, unsigned long op, unsigned long comm) {
  return mpispec_Allreduce(send_buffer, recv_buffer, count, element, op, comm, mpispec_size_long,
                           1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Allreduce_predefined(const void *send_buffer, void *recv_buffer, long long count,
                             long long element, unsigned long op, unsigned long comm) {
  return mpispec_Allreduce(send_buffer, recv_buffer, count, element, op, comm, mpispec_size_dynamic,
                           1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Allreduce_short(const void *send_buffer, void *recv_buffer, long long count,
                        long long element, unsigned long op, unsigned long comm) {
  return mpispec_Allreduce(send_buffer, recv_buffer, count, element, op, comm, mpispec_size_short,
                           0);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Allreduce_long(const void *send_buffer, void *recv_buffer, long long count,
                       long long element, unsigned long op, unsigned long comm) {
  return mpispec_Allreduce(send_buffer, recv_buffer, count, element, op, comm, mpispec_size_long,
                           0);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Allreduce_generic(const void *send_buffer, void *recv_buffer, long long count,
                          long long element, unsigned long op, unsigned long comm) {
  return mpispec_Allreduce(send_buffer, recv_buffer, count, element, op, comm, mpispec_size_dynamic,
                           0);
}

#endif
