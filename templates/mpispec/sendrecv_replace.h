/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sendrecv_replace.h - MPI_Sendrecv_replace
 *
 * A send and a receive with one buffer: the received message replaces the sent one (MPI-4.0,
 * section 3.10).
 *
 *   Sendrecv_replace [both peers are the caller, nothing queued, tags equal, bytes fit] -> nothing
 *   Sendrecv_replace [lanes to both, bytes fit] -> put the message into one; Recv from the other
 *   Sendrecv_replace_long [lanes to both] -> the runtime does both, or only sends
 *   Sendrecv_replace, Sendrecv_replace_long [otherwise] -> the ordinary call
 *
 * `node` is the proven fact about both peers. With mpispec_locality_remote the body has no code for
 * the case that both peers are the caller. With mpispec_locality_local it has no code for lanes. */
#ifndef MPISPEC_SENDRECV_REPLACE_H
#define MPISPEC_SENDRECV_REPLACE_H

#include "sendrecv.h"

/* `node` is a constant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_replace(void *buffer, long long count, long long element, int destination,
                         int send_tag, int source, int recv_tag, unsigned long comm, void *status,
                         enum mpispec_locality node) {
  const struct mpispec_route *out = mpispec_call_route(comm, destination, mpispec_state.fast_size);
  const struct mpispec_route *in = mpispec_call_route(comm, source, mpispec_state.receive_size);
  const long long bytes = mpispec_call_short_bytes(count, element);
  if (!out || !in || !buffer || bytes < 0 || !mpispec_status_is_there(status) ||
      !mpispec_call_has_tag(send_tag) || !mpispec_call_has_tag(recv_tag))
    return 0;
  if (node != mpispec_locality_remote && mpispec_is_self(out, destination) && destination == source)
    return send_tag == recv_tag &&
           mpispec_copy_to_self(out, buffer, buffer, (unsigned long long)bytes, element, source,
                                recv_tag, mpispec_status_wanted(status));
  if (node == mpispec_locality_local)
    return 0;
  if (!mpispec_put(out, comm, buffer, (unsigned long long)bytes, element, destination, send_tag))
    return 0;
  if (mpispec_take(in, comm, buffer, bytes, element, source, recv_tag, mpispec_call_polls(bytes),
                   mpispec_status_wanted(status)))
    return 1;
  mpispec_state.send_issued = 1; /* the ordinary call will only receive */
  return 0;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_replace_long(void *buffer, long long count, long long element, int destination,
                              int send_tag, int source, int recv_tag, unsigned long comm,
                              void *status) {
  return mpispec_Sendrecv_long(buffer, count, element, destination, send_tag, buffer, count,
                               element, source, recv_tag, comm, status);
}

#endif
