/* recv.h - MPI_Recv
 *
 * A receive (MPI-4.0, section 3.2.4).
 *
 *   Recv [nothing queued from peer or anyone, the message is next in its lane] -> copy it out of
 *         the lane
 *   Recv [otherwise] -> the ordinary call
 */
#ifndef MPISPEC_RECV_H
#define MPISPEC_RECV_H

#include "call.h"

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Recv(void *buffer, long long count, long long element, int peer, int tag,
             unsigned long comm, void *status) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.receive_size);
  const long long room = mpispec_call_room(count, element);
  return route && buffer && status && mpispec_call_has_tag(tag) &&
         mpispec_take(route, comm, buffer, room, element, peer, tag, mpispec_call_looks(room),
                      mpispec_status_wanted(status));
}

#endif
