/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* isend.h - MPI_Isend
 *
 * A nonblocking standard send (MPI-4.0, section 3.7).
 *
 *   Isend [a lane to peer with room, bytes fit] -> put the message into it; the request is complete
 *   Isend [otherwise] -> the ordinary call
 */
#ifndef MPISPEC_ISEND_H
#define MPISPEC_ISEND_H

#include "call.h"
#include "long.h"

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Isend(const void *buffer, long long count, long long element, int peer, int tag,
              unsigned long comm, void *request) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.fast_size);
  const long long bytes = mpispec_call_short_bytes(count, element);
  if (!route || !buffer || !request || bytes < 0 || !mpispec_call_has_tag(tag) ||
      !mpispec_put(route, comm, buffer, (unsigned long long)bytes, element, peer, tag))
    return 0;
  *(mpispec_handle *)request = mpispec_request_complete;
  ++mpispec_state.made;
  return 1;
}

#endif
