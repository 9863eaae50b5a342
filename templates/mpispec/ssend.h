/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ssend.h - MPI_Ssend
 *
 * A synchronous send returns when the matching receive has started (MPI-4.0, section 3.4).
 *
 *   Ssend [a lane to peer with room, bytes fit, at most 56 bytes, no other synchronous send of a
 *         template is pending] -> put the message into it, await FIN, which the receiver stores
 *         after the match
 *   Ssend [otherwise] -> the ordinary call
 */
#ifndef MPISPEC_SSEND_H
#define MPISPEC_SSEND_H

#include "call.h"
#include "long.h"

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Ssend(const void *buffer, long long count, long long element, int peer, int tag,
              unsigned long comm) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.fast_size);
  const long long bytes = mpispec_call_short_bytes(count, element);
  unsigned int *fin = mpispec_state.fin;
  if (!route || !buffer || bytes < 0 || !mpispec_call_has_tag(tag) ||
      !mpispec_put_synchronous(route, comm, buffer, (unsigned long long)bytes, element, peer, tag))
    return 0;
  if (mpispec_has_fin(fin, mpispec_state.polls))
    return 1;
  mpispec_state.send_issued = 1; /* the ordinary call will only wait */
  return 0;
}

#endif
