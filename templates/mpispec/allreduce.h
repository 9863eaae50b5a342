/* allreduce.h - MPI_Allreduce
 *
 * A reduction whose result all ranks get (MPI-4.0, section 6.9.6).
 *
 *   Allreduce [comm has slots, predefined, bytes fit our cell, which is free, any order gives the
 *             same bits] -> show our part, combine those of all
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

#include "combine.h"

/* The one body; size and predefined are constants in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Allreduce(const void *send_buffer, void *recv_buffer, long long count, long long element,
                  int operation, int number, unsigned long comm, const char *place,
                  enum mpispec_size size, int predefined) {
  const unsigned long long bytes = predefined ? mpispec_step_bytes(count, element, size) : 0;
  struct mpispec_steps *steps;
  const unsigned long long signature =
      mpispec_combine_signature(mpispec_is_Allreduce, bytes, element, operation, number, 0);
  const void *in = mpispec_is_in_place(send_buffer) ? recv_buffer : send_buffer;
  unsigned long long word;
  if (!mpispec_can_combine(element, operation, number))
    return 0;
  if (!bytes)
    return __builtin_constant_p(bytes) ? 0 : mpispec_step_decline(place);
  steps = mpispec_call_steps(comm);
  if (!steps || !mpispec_has_one_order(steps, number) || !in || !recv_buffer ||
      mpispec_is_in_place(recv_buffer) || send_buffer == recv_buffer ||
      !mpispec_step_has_room(steps))
    return mpispec_step_decline(place);
  word = mpispec_steps_word(steps, signature);
  mpispec_step_put_bytes(steps, word, in, bytes, element);
  if (!mpispec_combine_all(steps, word, place, 0, recv_buffer, count, element, operation, number))
    return 0;
  mpispec_step_met_all(steps, signature);
  return 1;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Allreduce_short_predefined(const void *send_buffer, void *recv_buffer, long long count,
                                   long long element, int operation, int number, unsigned long comm,
                                   const char *place) {
  return mpispec_Allreduce(send_buffer, recv_buffer, count, element, operation, number, comm, place,
                           mpispec_size_short, 1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Allreduce_long_predefined(const void *send_buffer, void *recv_buffer, long long count,
                                  long long element, int operation, int number, unsigned long comm,
                                  const char *place) {
  return mpispec_Allreduce(send_buffer, recv_buffer, count, element, operation, number, comm, place,
                           mpispec_size_long, 1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Allreduce_predefined(const void *send_buffer, void *recv_buffer, long long count,
                             long long element, int operation, int number, unsigned long comm,
                             const char *place) {
  return mpispec_Allreduce(send_buffer, recv_buffer, count, element, operation, number, comm, place,
                           mpispec_size_dynamic, 1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Allreduce_short(const void *send_buffer, void *recv_buffer, long long count,
                        long long element, int operation, int number, unsigned long comm,
                        const char *place) {
  return mpispec_Allreduce(send_buffer, recv_buffer, count, element, operation, number, comm, place,
                           mpispec_size_short, 0);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Allreduce_long(const void *send_buffer, void *recv_buffer, long long count,
                       long long element, int operation, int number, unsigned long comm,
                       const char *place) {
  return mpispec_Allreduce(send_buffer, recv_buffer, count, element, operation, number, comm, place,
                           mpispec_size_long, 0);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Allreduce_generic(const void *send_buffer, void *recv_buffer, long long count,
                          long long element, int operation, int number, unsigned long comm,
                          const char *place) {
  return mpispec_Allreduce(send_buffer, recv_buffer, count, element, operation, number, comm, place,
                           mpispec_size_dynamic, 0);
}

#endif
