/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* allreduce.h - MPI_Allreduce
 *
 * A reduction whose result all ranks get (MPI-4.0, section 6.9.6).
 *
 *   Allreduce [comm has slots, predefined, bytes fit our cell, which is free, any order gives the
 *             same bits] -> show our part, combine the parts of all
 *   Allreduce [otherwise] -> the ordinary call
 */
#ifndef MPISPEC_ALLREDUCE_H
#define MPISPEC_ALLREDUCE_H

#include "combine.h"

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Allreduce(const void *send_buffer, void *recv_buffer, long long count, long long element,
                  int operation, int number, unsigned long comm, const char *place) {
  const unsigned long long bytes = mpispec_step_bytes(count, element);
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
  if (!steps || !mpispec_order_is_irrelevant(steps, number) || !in || !recv_buffer ||
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

#endif
