/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sendrecv.h - MPI_Sendrecv
 *
 * A send and a receive in one call, which go on at the same time (MPI-4.0, section 3.10).
 *
 *   Sendrecv [both peers are the caller, nothing queued, tags equal, bytes fit] -> copy
 *   Sendrecv [lanes to both, bytes fit] -> put the message into one; Recv from the other
 *   Sendrecv_long [lanes to both] -> the runtime does both, or only sends
 *   Sendrecv, Sendrecv_long [otherwise] -> the ordinary call
 *
 * `node` is the proven fact about both peers. With mpispec_locality_remote the body has no code for
 * the case that both peers are the caller. With mpispec_locality_local it has no code for lanes. */
#ifndef MPISPEC_SENDRECV_H
#define MPISPEC_SENDRECV_H

#include "call.h"

/* `node` is a constant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv(const void *send_buffer, long long send_count, long long send_element,
                 int destination, int send_tag, void *recv_buffer, long long recv_count,
                 long long recv_element, int source, int recv_tag, unsigned long comm, void *status,
                 enum mpispec_locality node) {
  const struct mpispec_route *out = mpispec_call_route(comm, destination, mpispec_state.fast_size);
  const struct mpispec_route *in = mpispec_call_route(comm, source, mpispec_state.receive_size);
  const long long bytes = mpispec_call_short_bytes(send_count, send_element);
  const long long room = mpispec_call_room(recv_count, recv_element);
  if (!out || !in || !send_buffer || !recv_buffer || bytes < 0 || room < 0 ||
      !mpispec_status_is_there(status) || !mpispec_call_has_tag(send_tag) ||
      !mpispec_call_has_tag(recv_tag))
    return 0;
  if (node != mpispec_locality_remote && mpispec_is_self(out, destination) && destination == source)
    return send_tag == recv_tag && bytes <= room &&
           mpispec_copy_to_self(out, send_buffer, recv_buffer, (unsigned long long)bytes,
                                send_element, source, recv_tag, mpispec_status_wanted(status));
  if (node == mpispec_locality_local)
    return 0;
  if (!mpispec_put(out, comm, send_buffer, (unsigned long long)bytes, send_element, destination,
                   send_tag))
    return 0;
  if (mpispec_take(in, comm, recv_buffer, room, recv_element, source, recv_tag,
                   mpispec_call_polls(room), mpispec_status_wanted(status)))
    return 1;
  mpispec_state.send_issued = 1; /* the ordinary call will only receive */
  return 0;
}

/* The state's `exchange` receives the message only if it arrives within some polls. Otherwise
 * `exchange` only sends, and the ordinary call receives. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_long(const void *send_buffer, long long send_count, long long send_element,
                      int destination, int send_tag, void *recv_buffer, long long recv_count,
                      long long recv_element, int source, int recv_tag, unsigned long comm,
                      void *status) {
  const struct mpispec_route *out = mpispec_call_route(comm, destination, mpispec_state.fast_size);
  const struct mpispec_route *in = mpispec_call_route(comm, source, mpispec_state.receive_size);
  struct mpispec_exchange exchange;
  exchange.route = out;
  exchange.send_buffer = send_buffer;
  exchange.bytes = mpispec_call_long_bytes(send_count, send_element);
  exchange.destination = destination;
  exchange.send_tag = send_tag;
  exchange.recv_buffer = recv_buffer;
  exchange.room = mpispec_call_long_bytes(recv_count, recv_element);
  exchange.source = source;
  exchange.recv_tag = recv_tag;
  exchange.status = mpispec_status_wanted(status);
  return out && in && send_buffer && recv_buffer && exchange.bytes >= 0 && exchange.room >= 0 &&
         mpispec_status_is_there(status) && mpispec_call_has_tag(send_tag) &&
         mpispec_call_has_tag(recv_tag) && !mpispec_state.exchange(&exchange);
}

#endif
