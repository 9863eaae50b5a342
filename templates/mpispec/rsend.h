/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* rsend.h - MPI_Rsend
 *
 * A ready send: the receive must be posted before (MPI-4.0, section 3.4). A standard send may
 * always replace it.
 *
 *   Rsend [a lane to peer with room, bytes fit] -> put the message into it
 *   Rsend [otherwise] -> the ordinary call
 */
#ifndef MPISPEC_RSEND_H
#define MPISPEC_RSEND_H

#include "call.h"
#include "long.h"

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Rsend(const void *buffer, long long count, long long element, int peer, int tag,
              unsigned long comm) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.fast_size);
  const long long bytes = mpispec_call_short_bytes(count, element);
  return route && buffer && bytes >= 0 && mpispec_call_has_tag(tag) &&
         mpispec_put(route, comm, buffer, (unsigned long long)bytes, element, peer, tag);
}

#endif
