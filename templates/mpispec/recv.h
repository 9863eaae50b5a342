/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* recv.h - MPI_Recv
 *
 * A receive (MPI-4.0, section 3.2.4).
 *
 *   Recv [nothing queued for peer, no receive from any source waits, the message is next in its
 *         lane, bytes fit] -> copy it out of the lane
 *   Recv [MPI_ANY_SOURCE or MPI_ANY_TAG, known at compile time: no message queued, no receive from
 *         any source waits, the next message of a lane matches, bytes fit one cell] -> copy it out
 *         of the lane
 *   Recv_long [nothing queued for peer, no receive from any source waits, the message is next in
 *         its lane, in cells or in a block] -> the runtime receives it
 *   Recv, Recv_long [otherwise] -> the ordinary call
 */
#ifndef MPISPEC_RECV_H
#define MPISPEC_RECV_H

#include "call.h"
#include "heads.h"

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Recv_wild(void *buffer, long long room, long long element, int peer, int tag,
                  unsigned long comm, struct mpispec_status *status) {
  const int any = peer == mpispec_any_source;
  const struct mpispec_route *route =
      any ? mpispec_call_heads(comm) : mpispec_call_route(comm, peer, mpispec_state.receive_size);
  struct mpispec_wanted wanted;
  struct mpispec_reader *reader;
  int found, source = peer;
  if (!route || !buffer)
    return 0;
  wanted = mpispec_wanted_on(mpispec_route_key(route, comm), tag);
  if (any) {
    found = mpispec_heads_peek(wanted, mpispec_to_take, &reader);
  } else {
    reader = route->readers[(unsigned int)peer];
    found = mpispec_head_peek(reader, wanted, mpispec_to_take);
  }
  if (found < 0)
    return 0;
  if (any && status)
    source = mpispec_head_source(mpispec_route_key(route, comm), reader->next->header, found);
  return mpispec_head_take(reader, buffer, room, element, source, status);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Recv(void *buffer, long long count, long long element, int peer, int tag,
             unsigned long comm, void *status) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.receive_size);
  const long long room = mpispec_call_room(count, element);
  if ((__builtin_constant_p(peer) && peer == mpispec_any_source) ||
      (__builtin_constant_p(tag) && tag == mpispec_any_tag))
    return mpispec_status_is_there(status) &&
           (tag == mpispec_any_tag || mpispec_call_has_tag(tag)) &&
           mpispec_Recv_wild(buffer, room, element, peer, tag, comm, mpispec_status_wanted(status));
  return route && buffer && mpispec_status_is_there(status) && mpispec_call_has_tag(tag) &&
         mpispec_take(route, comm, buffer, room, element, peer, tag, mpispec_call_polls(room),
                      mpispec_status_wanted(status));
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Recv_long(void *buffer, long long count, long long element, int peer, int tag,
                  unsigned long comm, void *status) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.receive_size);
  const long long room = mpispec_call_long_bytes(count, element);
  return route && buffer && room >= 0 && mpispec_status_is_there(status) &&
         mpispec_call_has_tag(tag) &&
         !mpispec_state.receive(buffer, room, route, peer, tag, mpispec_status_wanted(status));
}

#endif
