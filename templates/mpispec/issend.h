/* issend.h - MPI_Issend
 *
 * A nonblocking synchronous send (MPI-4.0, section 3.7).
 *
 *   Issend [a lane to peer with room, at most 56 bytes, no other is under way] -> put the message
 *         into it; the request awaits the signature of its match
 *   Issend [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   short    the bytes are at most mpispec_short_bytes, in a predefined contiguous datatype
 *   long     the bytes are more than that, in a predefined contiguous datatype
 *   remote   peer is not the caller
 *   local    peer is the caller
 *   generic  nothing
 */
#ifndef MPISPEC_ISSEND_H
#define MPISPEC_ISSEND_H

#include "call.h"

/* The one body; size and node are constants in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend(const void *buffer, long long count, long long element, int peer, int tag,
               unsigned long comm, void *request, enum mpispec_size size,
               enum mpispec_locality node) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.fast_size);
  const long long bytes = mpispec_call_short_bytes(count, element, size);
  struct mpispec_receive *awaited = mpispec_state.awaited;
  (void)node;
  if (!route || !buffer || !request || bytes < 0 || !mpispec_call_has_tag(tag) || awaited->use ||
      !mpispec_put_synchronous(route, comm, buffer, (unsigned long long)bytes, element, peer, tag))
    return 0;
  awaited->use = mpispec_receive_under_way;
  *(int *)request = awaited->handle;
  return 1;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_long_remote(const void *buffer, long long count, long long element, int peer,
                           int tag, unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_long,
                        mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_short_remote(const void *buffer, long long count, long long element, int peer,
                            int tag, unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_short,
                        mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_remote(const void *buffer, long long count, long long element, int peer, int tag,
                      unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_dynamic,
                        mpispec_locality_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_long_local(const void *buffer, long long count, long long element, int peer, int tag,
                          unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_long,
                        mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_short_local(const void *buffer, long long count, long long element, int peer,
                           int tag, unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_short,
                        mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_local(const void *buffer, long long count, long long element, int peer, int tag,
                     unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_dynamic,
                        mpispec_locality_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_long(const void *buffer, long long count, long long element, int peer, int tag,
                    unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_long,
                        mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_short(const void *buffer, long long count, long long element, int peer, int tag,
                     unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_short,
                        mpispec_locality_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_generic(const void *buffer, long long count, long long element, int peer, int tag,
                       unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_dynamic,
                        mpispec_locality_dynamic);
}

#endif
