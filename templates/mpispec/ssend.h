/* ssend.h - MPI_Ssend
 *
 * A synchronous send: returns when the matching receive has started (MPI-4.0, section 3.4).
 *
 *   Ssend [a lane to peer with room, at most 56 bytes] -> put the message into it, await the
 *         signature of its match
 *   Ssend [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   short    the bytes are at most mpispec_short_bytes, in a predefined contiguous datatype
 *   long     the bytes are more than that, in a predefined contiguous datatype
 *   remote   peer is not the caller
 *   local    peer is the caller
 *   generic  nothing
 */
#ifndef MPISPEC_SSEND_H
#define MPISPEC_SSEND_H

#include "call.h"

/* The one body; size and node are constants in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Ssend(const void *buffer, long long count, long long element, int peer, int tag,
              unsigned long comm, enum mpispec_size size, enum mpispec_locality node) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.fast_size);
  const long long bytes = mpispec_call_short_bytes(count, element, size);
  unsigned int *handshake = mpispec_state.handshake;
  (void)node;
  if (!route || !buffer || bytes < 0 || !mpispec_call_has_tag(tag) ||
      !mpispec_put_synchronous(route, comm, buffer, (unsigned long long)bytes, element, peer, tag))
    return 0;
  if (mpispec_is_signed(handshake, mpispec_state.looks))
    return 1;
  mpispec_state.half_done = 1; /* the ordinary call will only wait */
  return 0;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Ssend_long_remote(const void *buffer, long long count, long long element, int peer, int tag,
                          unsigned long comm) {
  return mpispec_Ssend(buffer, count, element, peer, tag, comm, mpispec_size_long,
                       mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Ssend_short_remote(const void *buffer, long long count, long long element, int peer,
                           int tag, unsigned long comm) {
  return mpispec_Ssend(buffer, count, element, peer, tag, comm, mpispec_size_short,
                       mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Ssend_remote(const void *buffer, long long count, long long element, int peer, int tag,
                     unsigned long comm) {
  return mpispec_Ssend(buffer, count, element, peer, tag, comm, mpispec_size_dynamic,
                       mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Ssend_long_local(const void *buffer, long long count, long long element, int peer, int tag,
                         unsigned long comm) {
  return mpispec_Ssend(buffer, count, element, peer, tag, comm, mpispec_size_long,
                       mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Ssend_short_local(const void *buffer, long long count, long long element, int peer, int tag,
                          unsigned long comm) {
  return mpispec_Ssend(buffer, count, element, peer, tag, comm, mpispec_size_short,
                       mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Ssend_local(const void *buffer, long long count, long long element, int peer, int tag,
                    unsigned long comm) {
  return mpispec_Ssend(buffer, count, element, peer, tag, comm, mpispec_size_dynamic,
                       mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Ssend_long(const void *buffer, long long count, long long element, int peer, int tag,
                   unsigned long comm) {
  return mpispec_Ssend(buffer, count, element, peer, tag, comm, mpispec_size_long,
                       mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Ssend_short(const void *buffer, long long count, long long element, int peer, int tag,
                    unsigned long comm) {
  return mpispec_Ssend(buffer, count, element, peer, tag, comm, mpispec_size_short,
                       mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Ssend_generic(const void *buffer, long long count, long long element, int peer, int tag,
                      unsigned long comm) {
  return mpispec_Ssend(buffer, count, element, peer, tag, comm, mpispec_size_dynamic,
                       mpispec_locality_dynamic);
}

#endif
