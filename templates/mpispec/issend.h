/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* issend.h - MPI_Issend
 *
 * A nonblocking synchronous send (MPI-4.0, section 3.7).
 *
 *   Issend [a lane to peer with room, bytes fit, at most 56 bytes, no other synchronous send of a
 *         template is pending] -> put the message into it; the request awaits FIN, which the
 *         receiver stores after the match
 *   Issend [otherwise] -> the ordinary call
 */
#ifndef MPISPEC_ISSEND_H
#define MPISPEC_ISSEND_H

#include "call.h"
#include "long.h"

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend(const void *buffer, long long count, long long element, int peer, int tag,
               unsigned long comm, void *request) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.fast_size);
  const long long bytes = mpispec_call_short_bytes(count, element);
  struct mpispec_receive *awaited = mpispec_state.awaited;
  if (!route || !buffer || !request || bytes < 0 || !mpispec_call_has_tag(tag) ||
      !mpispec_put_synchronous(route, comm, buffer, (unsigned long long)bytes, element, peer, tag))
    return 0;
  awaited->use = mpispec_receive_under_way;
  awaited->source = peer; /* the rank that has to match: if its process ends, the request fails */
  awaited->key = route->comm;
  *(mpispec_handle *)request = mpispec_request_marked(awaited->mark);
  return 1;
}

#endif
