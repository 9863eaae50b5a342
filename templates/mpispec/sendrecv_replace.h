/* sendrecv_replace.h - MPI_Sendrecv_replace
 *
 * A send and a receive with one buffer: what comes replaces what went (MPI-4.0, section 3.10).
 *
 *   Sendrecv_replace [both peers are the caller, nothing queued, tags equal] -> nothing
 *   Sendrecv_replace [lanes to both, bytes fit] -> put the message into one; Recv from the other
 *   Sendrecv_replace [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   short    the bytes are at most mpispec_short_bytes, in a predefined contiguous datatype
 *   long     the bytes are more than that, in a predefined contiguous datatype
 *   remote   both peers are not the caller
 *   local    both peers are the caller
 *   generic  nothing
 */
#ifndef MPISPEC_SENDRECV_REPLACE_H
#define MPISPEC_SENDRECV_REPLACE_H

#include "call.h"

/* The one body; size and node are constants in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_replace(void *buffer, long long count, long long element, int destination,
                         int send_tag, int source, int recv_tag, unsigned long comm, void *status,
                         enum mpispec_size size, enum mpispec_locality node) {
  const struct mpispec_route *out = mpispec_call_route(comm, destination, mpispec_state.fast_size);
  const struct mpispec_route *in = mpispec_call_route(comm, source, mpispec_state.receive_size);
  const long long bytes = mpispec_call_short_bytes(count, element, size);
  if (!out || !in || !buffer || bytes < 0 || !status || !mpispec_call_has_tag(send_tag) ||
      !mpispec_call_has_tag(recv_tag))
    return 0;
  if (node != mpispec_locality_remote && mpispec_is_self(out, destination) && destination == source)
    return send_tag == recv_tag &&
           mpispec_hand_over(out, buffer, buffer, (unsigned long long)bytes, element, source,
                             recv_tag, mpispec_status_wanted(status));
  if (!mpispec_put(out, comm, buffer, (unsigned long long)bytes, element, destination, send_tag))
    return 0;
  if (mpispec_take(in, comm, buffer, bytes, element, source, recv_tag, mpispec_call_looks(bytes),
                   mpispec_status_wanted(status)))
    return 1;
  mpispec_state.half_done = 1; /* the ordinary call will only receive */
  return 0;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_replace_long_remote(void *buffer, long long count, long long element,
                                     int destination, int send_tag, int source, int recv_tag,
                                     unsigned long comm, void *status) {
  return mpispec_Sendrecv_replace(buffer, count, element, destination, send_tag, source, recv_tag,
                                  comm, status, mpispec_size_long, mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_replace_short_remote(void *buffer, long long count, long long element,
                                      int destination, int send_tag, int source, int recv_tag,
                                      unsigned long comm, void *status) {
  return mpispec_Sendrecv_replace(buffer, count, element, destination, send_tag, source, recv_tag,
                                  comm, status, mpispec_size_short, mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_replace_remote(void *buffer, long long count, long long element, int destination,
                                int send_tag, int source, int recv_tag, unsigned long comm,
                                void *status) {
  return mpispec_Sendrecv_replace(buffer, count, element, destination, send_tag, source, recv_tag,
                                  comm, status, mpispec_size_dynamic, mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_replace_long_local(void *buffer, long long count, long long element,
                                    int destination, int send_tag, int source, int recv_tag,
                                    unsigned long comm, void *status) {
  return mpispec_Sendrecv_replace(buffer, count, element, destination, send_tag, source, recv_tag,
                                  comm, status, mpispec_size_long, mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_replace_short_local(void *buffer, long long count, long long element,
                                     int destination, int send_tag, int source, int recv_tag,
                                     unsigned long comm, void *status) {
  return mpispec_Sendrecv_replace(buffer, count, element, destination, send_tag, source, recv_tag,
                                  comm, status, mpispec_size_short, mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_replace_local(void *buffer, long long count, long long element, int destination,
                               int send_tag, int source, int recv_tag, unsigned long comm,
                               void *status) {
  return mpispec_Sendrecv_replace(buffer, count, element, destination, send_tag, source, recv_tag,
                                  comm, status, mpispec_size_dynamic, mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_replace_long(void *buffer, long long count, long long element, int destination,
                              int send_tag, int source, int recv_tag, unsigned long comm,
                              void *status) {
  return mpispec_Sendrecv_replace(buffer, count, element, destination, send_tag, source, recv_tag,
                                  comm, status, mpispec_size_long, mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_replace_short(void *buffer, long long count, long long element, int destination,
                               int send_tag, int source, int recv_tag, unsigned long comm,
                               void *status) {
  return mpispec_Sendrecv_replace(buffer, count, element, destination, send_tag, source, recv_tag,
                                  comm, status, mpispec_size_short, mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_replace_generic(void *buffer, long long count, long long element, int destination,
                                 int send_tag, int source, int recv_tag, unsigned long comm,
                                 void *status) {
  return mpispec_Sendrecv_replace(buffer, count, element, destination, send_tag, source, recv_tag,
                                  comm, status, mpispec_size_dynamic, mpispec_locality_dynamic);
}

#endif
