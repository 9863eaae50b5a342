/* recv.h - MPI_Recv
 *
 * A receive (MPI-4.0, section 3.2.4).
 *
 *   Recv [nothing queued from peer or anyone, the message is next in its lane] -> copy it out of
 *         the lane
 *   Recv [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   short    the bytes are at most mpispec_short_bytes, in a predefined contiguous datatype
 *   long     the bytes are more than that, in a predefined contiguous datatype
 *   remote   peer is not the caller
 *   local    peer is the caller
 *   generic  nothing
 */
#ifndef MPISPEC_RECV_H
#define MPISPEC_RECV_H

#include "call.h"

/* The one body; size and node are constants in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Recv(void *buffer, long long count, long long element, int peer, int tag,
             unsigned long comm, void *status, enum mpispec_size size, enum mpispec_locality node) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.receive_size);
  const long long room = mpispec_call_room(count, element, size);
  (void)node;
  return route && buffer && status && mpispec_call_has_tag(tag) &&
         mpispec_take(route, comm, buffer, room, element, peer, tag, mpispec_call_looks(room),
                      mpispec_status_wanted(status));
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Recv_long_remote(void *buffer, long long count, long long element, int peer, int tag,
                         unsigned long comm, void *status) {
  return mpispec_Recv(buffer, count, element, peer, tag, comm, status, mpispec_size_long,
                      mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Recv_short_remote(void *buffer, long long count, long long element, int peer, int tag,
                          unsigned long comm, void *status) {
  return mpispec_Recv(buffer, count, element, peer, tag, comm, status, mpispec_size_short,
                      mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Recv_remote(void *buffer, long long count, long long element, int peer, int tag,
                    unsigned long comm, void *status) {
  return mpispec_Recv(buffer, count, element, peer, tag, comm, status, mpispec_size_dynamic,
                      mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Recv_long_local(void *buffer, long long count, long long element, int peer, int tag,
                        unsigned long comm, void *status) {
  return mpispec_Recv(buffer, count, element, peer, tag, comm, status, mpispec_size_long,
                      mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Recv_short_local(void *buffer, long long count, long long element, int peer, int tag,
                         unsigned long comm, void *status) {
  return mpispec_Recv(buffer, count, element, peer, tag, comm, status, mpispec_size_short,
                      mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Recv_local(void *buffer, long long count, long long element, int peer, int tag,
                   unsigned long comm, void *status) {
  return mpispec_Recv(buffer, count, element, peer, tag, comm, status, mpispec_size_dynamic,
                      mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Recv_long(void *buffer, long long count, long long element, int peer, int tag,
                  unsigned long comm, void *status) {
  return mpispec_Recv(buffer, count, element, peer, tag, comm, status, mpispec_size_long,
                      mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Recv_short(void *buffer, long long count, long long element, int peer, int tag,
                   unsigned long comm, void *status) {
  return mpispec_Recv(buffer, count, element, peer, tag, comm, status, mpispec_size_short,
                      mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Recv_generic(void *buffer, long long count, long long element, int peer, int tag,
                     unsigned long comm, void *status) {
  return mpispec_Recv(buffer, count, element, peer, tag, comm, status, mpispec_size_dynamic,
                      mpispec_locality_dynamic);
}

#endif
