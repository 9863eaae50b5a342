/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* bsend.h - MPI_Bsend
 *
 * A buffered send returns at once, and the message is kept in the buffer that the program has
 * attached (MPI-4.0, section 3.4). A message in the lane does not use this buffer. However, the
 * MPI library may refuse a message that is longer than the buffer.
 *
 *   Bsend [a lane to peer with room, bytes fit it and the attached buffer] -> put the message into
 *         the lane
 *   Bsend [otherwise] -> the ordinary call
 */
#ifndef MPISPEC_BSEND_H
#define MPISPEC_BSEND_H

#include "call.h"
#include "long.h"

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bsend(const void *buffer, long long count, long long element, int peer, int tag,
              unsigned long comm) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.fast_size);
  const long long bytes = mpispec_call_short_bytes(count, element);
  return route && buffer && bytes >= 0 && bytes < mpispec_state.attached &&
         mpispec_call_has_tag(tag) &&
         mpispec_put(route, comm, buffer, (unsigned long long)bytes, element, peer, tag);
}

#endif
