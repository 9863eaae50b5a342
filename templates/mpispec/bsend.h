/* bsend.h - MPI_Bsend
 *
 * A buffered send: returns at once, the message is kept in the buffer that the program attached
 * (MPI-4.0, section 3.4). What fits into the lane needs no buffer.
 *
 *   Bsend [a lane to peer with room, bytes fit it and the attached buffer] -> put the message into
 *         the lane
 *   Bsend [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   short    the bytes are at most mpispec_short_bytes, in a predefined contiguous datatype
 *   long     the bytes are more than that, in a predefined contiguous datatype
 *   remote   peer is not the caller
 *   local    peer is the caller
 *   generic  nothing
 */
#ifndef MPISPEC_BSEND_H
#define MPISPEC_BSEND_H

#include "call.h"

/* The one body; size and node are constants in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bsend(const void *buffer, long long count, long long element, int peer, int tag,
              unsigned long comm, enum mpispec_size size, enum mpispec_locality node) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.fast_size);
  const long long bytes = mpispec_call_short_bytes(count, element, size);
  (void)node;
  return route && buffer && bytes >= 0 && bytes < mpispec_state.attached &&
         mpispec_call_has_tag(tag) &&
         mpispec_put(route, comm, buffer, (unsigned long long)bytes, element, peer, tag);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bsend_long_remote(const void *buffer, long long count, long long element, int peer, int tag,
                          unsigned long comm) {
  return mpispec_Bsend(buffer, count, element, peer, tag, comm, mpispec_size_long,
                       mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bsend_short_remote(const void *buffer, long long count, long long element, int peer,
                           int tag, unsigned long comm) {
  return mpispec_Bsend(buffer, count, element, peer, tag, comm, mpispec_size_short,
                       mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bsend_remote(const void *buffer, long long count, long long element, int peer, int tag,
                     unsigned long comm) {
  return mpispec_Bsend(buffer, count, element, peer, tag, comm, mpispec_size_dynamic,
                       mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bsend_long_local(const void *buffer, long long count, long long element, int peer, int tag,
                         unsigned long comm) {
  return mpispec_Bsend(buffer, count, element, peer, tag, comm, mpispec_size_long,
                       mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bsend_short_local(const void *buffer, long long count, long long element, int peer, int tag,
                          unsigned long comm) {
  return mpispec_Bsend(buffer, count, element, peer, tag, comm, mpispec_size_short,
                       mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bsend_local(const void *buffer, long long count, long long element, int peer, int tag,
                    unsigned long comm) {
  return mpispec_Bsend(buffer, count, element, peer, tag, comm, mpispec_size_dynamic,
                       mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bsend_long(const void *buffer, long long count, long long element, int peer, int tag,
                   unsigned long comm) {
  return mpispec_Bsend(buffer, count, element, peer, tag, comm, mpispec_size_long,
                       mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bsend_short(const void *buffer, long long count, long long element, int peer, int tag,
                    unsigned long comm) {
  return mpispec_Bsend(buffer, count, element, peer, tag, comm, mpispec_size_short,
                       mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Bsend_generic(const void *buffer, long long count, long long element, int peer, int tag,
                      unsigned long comm) {
  return mpispec_Bsend(buffer, count, element, peer, tag, comm, mpispec_size_dynamic,
                       mpispec_locality_dynamic);
}

#endif
