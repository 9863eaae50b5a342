/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* irecv.h - MPI_Irecv
 *
 * A nonblocking receive (MPI-4.0, section 3.7).
 *
 *   Irecv [no message from peer is queued, no receive from any source waits, at most 64 KiB]
 *         -> post it, without a poll of its lane
 *   Irecv_long [no receive from any source waits, more than 64 KiB] -> the runtime posts it
 *   Irecv, Irecv_long [otherwise] -> the ordinary call
 */
#ifndef MPISPEC_IRECV_H
#define MPISPEC_IRECV_H

#include "call.h"
#include "receive.h"

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Irecv(void *buffer, long long count, long long element, int peer, int tag,
              unsigned long comm, void *request) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.receive_size);
  const long long room = mpispec_call_room(count, element);
  return route && buffer && request && room >= 0 && room <= mpispec_eager_bytes &&
         mpispec_call_has_tag(tag) &&
         mpispec_receive_post(route->readers[(unsigned int)peer],
                              mpispec_route_key(route, comm) | (unsigned int)tag, buffer, (int)room,
                              peer, (mpispec_handle *)request);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Irecv_long(void *buffer, long long count, long long element, int peer, int tag,
                   unsigned long comm, void *request) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.receive_size);
  const long long room = mpispec_call_long_bytes(count, element);
  if (room >= 0 && room <= mpispec_eager_bytes)
    return mpispec_Irecv(buffer, count, element, peer, tag, comm, request);
  return route && buffer && request && room >= 0 && mpispec_call_has_tag(tag) &&
         !mpispec_state.post(buffer, room, route, peer, tag, (mpispec_handle *)request);
}

#endif
