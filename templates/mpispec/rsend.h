/* rsend.h - MPI_Rsend
 *
 * A ready send: the program promises that the receive is posted (MPI-4.0, section 3.4). It may
 * always be done as a standard send.
 *
 *   Rsend [a lane to peer with room, bytes fit] -> put the message into it
 *   Rsend [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   short    the bytes are at most mpispec_short_bytes, in a predefined contiguous datatype
 *   long     the bytes are more than that, in a predefined contiguous datatype
 *   remote   peer is not the caller
 *   local    peer is the caller
 *   generic  nothing
 */
#ifndef MPISPEC_RSEND_H
#define MPISPEC_RSEND_H

#include "call.h"

/* The one body; size and node are constants in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Rsend(const void *buffer, long long count, long long element, int peer, int tag,
              unsigned long comm, enum mpispec_size size, enum mpispec_locality node) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.fast_size);
  const long long bytes = mpispec_call_short_bytes(count, element, size);
  (void)node;
  return route && buffer && bytes >= 0 && mpispec_call_has_tag(tag) &&
         mpispec_put(route, comm, buffer, (unsigned long long)bytes, element, peer, tag);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Rsend_long_remote(const void *buffer, long long count, long long element, int peer, int tag,
                          unsigned long comm) {
  return mpispec_Rsend(buffer, count, element, peer, tag, comm, mpispec_size_long,
                       mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Rsend_short_remote(const void *buffer, long long count, long long element, int peer,
                           int tag, unsigned long comm) {
  return mpispec_Rsend(buffer, count, element, peer, tag, comm, mpispec_size_short,
                       mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Rsend_remote(const void *buffer, long long count, long long element, int peer, int tag,
                     unsigned long comm) {
  return mpispec_Rsend(buffer, count, element, peer, tag, comm, mpispec_size_dynamic,
                       mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Rsend_long_local(const void *buffer, long long count, long long element, int peer, int tag,
                         unsigned long comm) {
  return mpispec_Rsend(buffer, count, element, peer, tag, comm, mpispec_size_long,
                       mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Rsend_short_local(const void *buffer, long long count, long long element, int peer, int tag,
                          unsigned long comm) {
  return mpispec_Rsend(buffer, count, element, peer, tag, comm, mpispec_size_short,
                       mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Rsend_local(const void *buffer, long long count, long long element, int peer, int tag,
                    unsigned long comm) {
  return mpispec_Rsend(buffer, count, element, peer, tag, comm, mpispec_size_dynamic,
                       mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Rsend_long(const void *buffer, long long count, long long element, int peer, int tag,
                   unsigned long comm) {
  return mpispec_Rsend(buffer, count, element, peer, tag, comm, mpispec_size_long,
                       mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Rsend_short(const void *buffer, long long count, long long element, int peer, int tag,
                    unsigned long comm) {
  return mpispec_Rsend(buffer, count, element, peer, tag, comm, mpispec_size_short,
                       mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Rsend_generic(const void *buffer, long long count, long long element, int peer, int tag,
                      unsigned long comm) {
  return mpispec_Rsend(buffer, count, element, peer, tag, comm, mpispec_size_dynamic,
                       mpispec_locality_dynamic);
}

#endif
