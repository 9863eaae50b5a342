/* isend.h - MPI_Isend
 *
 * A nonblocking standard send (MPI-4.0, section 3.7).
 *
 *   Isend [a lane to peer with room, bytes fit] -> put the message into it; the request is over
 *   Isend [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   short    the bytes are at most mpispec_short_bytes, in a predefined contiguous datatype
 *   long     the bytes are more than that, in a predefined contiguous datatype
 *   remote   peer is not the caller
 *   local    peer is the caller
 *   generic  nothing
 */
#ifndef MPISPEC_ISEND_H
#define MPISPEC_ISEND_H

#include "call.h"

/* The one body; size and node are constants in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Isend(const void *buffer, long long count, long long element, int peer, int tag,
              unsigned long comm, void *request, enum mpispec_size size,
              enum mpispec_locality node) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.fast_size);
  const long long bytes = mpispec_call_short_bytes(count, element, size);
  (void)node;
  if (!route || !buffer || !request || bytes < 0 || !mpispec_call_has_tag(tag) ||
      !mpispec_put(route, comm, buffer, (unsigned long long)bytes, element, peer, tag))
    return 0;
  *(int *)request = mpispec_request_over;
  ++mpispec_state.made;
  return 1;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Isend_long_remote(const void *buffer, long long count, long long element, int peer, int tag,
                          unsigned long comm, void *request) {
  return mpispec_Isend(buffer, count, element, peer, tag, comm, request, mpispec_size_long,
                       mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Isend_short_remote(const void *buffer, long long count, long long element, int peer,
                           int tag, unsigned long comm, void *request) {
  return mpispec_Isend(buffer, count, element, peer, tag, comm, request, mpispec_size_short,
                       mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Isend_remote(const void *buffer, long long count, long long element, int peer, int tag,
                     unsigned long comm, void *request) {
  return mpispec_Isend(buffer, count, element, peer, tag, comm, request, mpispec_size_dynamic,
                       mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Isend_long_local(const void *buffer, long long count, long long element, int peer, int tag,
                         unsigned long comm, void *request) {
  return mpispec_Isend(buffer, count, element, peer, tag, comm, request, mpispec_size_long,
                       mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Isend_short_local(const void *buffer, long long count, long long element, int peer, int tag,
                          unsigned long comm, void *request) {
  return mpispec_Isend(buffer, count, element, peer, tag, comm, request, mpispec_size_short,
                       mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Isend_local(const void *buffer, long long count, long long element, int peer, int tag,
                    unsigned long comm, void *request) {
  return mpispec_Isend(buffer, count, element, peer, tag, comm, request, mpispec_size_dynamic,
                       mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Isend_long(const void *buffer, long long count, long long element, int peer, int tag,
                   unsigned long comm, void *request) {
  return mpispec_Isend(buffer, count, element, peer, tag, comm, request, mpispec_size_long,
                       mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Isend_short(const void *buffer, long long count, long long element, int peer, int tag,
                    unsigned long comm, void *request) {
  return mpispec_Isend(buffer, count, element, peer, tag, comm, request, mpispec_size_short,
                       mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Isend_generic(const void *buffer, long long count, long long element, int peer, int tag,
                      unsigned long comm, void *request) {
  return mpispec_Isend(buffer, count, element, peer, tag, comm, request, mpispec_size_dynamic,
                       mpispec_locality_dynamic);
}

#endif
