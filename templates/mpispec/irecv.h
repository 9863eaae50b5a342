/* irecv.h - MPI_Irecv
 *
 * A nonblocking receive (MPI-4.0, section 3.7).
 *
 *   Irecv [no message from peer is kept elsewhere, no receive from anyone waits, at most 64 KiB]
 *         -> post it, without a look at its lane
 *   Irecv [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   short    the bytes are at most mpispec_short_bytes, in a predefined contiguous datatype
 *   long     the bytes are more than that, in a predefined contiguous datatype
 *   remote   peer is not the caller
 *   local    peer is the caller
 *   generic  nothing
 */
#ifndef MPISPEC_IRECV_H
#define MPISPEC_IRECV_H

#include "call.h"
#include "receive.h"

/* The one body; size and node are constants in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Irecv(void *buffer, long long count, long long element, int peer, int tag,
              unsigned long comm, void *request, enum mpispec_size size,
              enum mpispec_locality node) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.receive_size);
  const long long room = mpispec_call_room(count, element, size);
  (void)node;
  return route && buffer && request && room >= 0 && room <= mpispec_eager_bytes &&
         mpispec_call_has_tag(tag) &&
         mpispec_receive_post(route->readers[(unsigned int)peer],
                              mpispec_route_key(route, comm) | (unsigned int)tag, buffer, (int)room,
                              peer, (int *)request);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Irecv_long_remote(void *buffer, long long count, long long element, int peer, int tag,
                          unsigned long comm, void *request) {
  return mpispec_Irecv(buffer, count, element, peer, tag, comm, request, mpispec_size_long,
                       mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Irecv_short_remote(void *buffer, long long count, long long element, int peer, int tag,
                           unsigned long comm, void *request) {
  return mpispec_Irecv(buffer, count, element, peer, tag, comm, request, mpispec_size_short,
                       mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Irecv_remote(void *buffer, long long count, long long element, int peer, int tag,
                     unsigned long comm, void *request) {
  return mpispec_Irecv(buffer, count, element, peer, tag, comm, request, mpispec_size_dynamic,
                       mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Irecv_long_local(void *buffer, long long count, long long element, int peer, int tag,
                         unsigned long comm, void *request) {
  return mpispec_Irecv(buffer, count, element, peer, tag, comm, request, mpispec_size_long,
                       mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Irecv_short_local(void *buffer, long long count, long long element, int peer, int tag,
                          unsigned long comm, void *request) {
  return mpispec_Irecv(buffer, count, element, peer, tag, comm, request, mpispec_size_short,
                       mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Irecv_local(void *buffer, long long count, long long element, int peer, int tag,
                    unsigned long comm, void *request) {
  return mpispec_Irecv(buffer, count, element, peer, tag, comm, request, mpispec_size_dynamic,
                       mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Irecv_long(void *buffer, long long count, long long element, int peer, int tag,
                   unsigned long comm, void *request) {
  return mpispec_Irecv(buffer, count, element, peer, tag, comm, request, mpispec_size_long,
                       mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Irecv_short(void *buffer, long long count, long long element, int peer, int tag,
                    unsigned long comm, void *request) {
  return mpispec_Irecv(buffer, count, element, peer, tag, comm, request, mpispec_size_short,
                       mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Irecv_generic(void *buffer, long long count, long long element, int peer, int tag,
                      unsigned long comm, void *request) {
  return mpispec_Irecv(buffer, count, element, peer, tag, comm, request, mpispec_size_dynamic,
                       mpispec_locality_dynamic);
}

#endif
