/* issend.h - MPI_Issend
 *
 * A nonblocking synchronous send (MPI-4.0, section 3.7).
 *
 *   Issend [always] -> the ordinary call
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
               unsigned long comm, void *request, enum mpispec_size size, enum mpispec_node node) {
  (void)buffer;
  (void)count;
  (void)element;
  (void)tag;
  (void)comm;
  (void)request;
  (void)size;
  (void)node;
  (void)peer;
  return 0; /* its end needs a handshake of its own, and a request */
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_long_remote(const void *buffer, long long count, long long element, int peer,
                           int tag, unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_long,
                        mpispec_node_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_short_remote(const void *buffer, long long count, long long element, int peer,
                            int tag, unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_short,
                        mpispec_node_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_remote(const void *buffer, long long count, long long element, int peer, int tag,
                      unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_dynamic,
                        mpispec_node_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_long_local(const void *buffer, long long count, long long element, int peer, int tag,
                          unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_long,
                        mpispec_node_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_short_local(const void *buffer, long long count, long long element, int peer,
                           int tag, unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_short,
                        mpispec_node_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_local(const void *buffer, long long count, long long element, int peer, int tag,
                     unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_dynamic,
                        mpispec_node_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_long(const void *buffer, long long count, long long element, int peer, int tag,
                    unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_long,
                        mpispec_node_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_short(const void *buffer, long long count, long long element, int peer, int tag,
                     unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_short,
                        mpispec_node_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Issend_generic(const void *buffer, long long count, long long element, int peer, int tag,
                       unsigned long comm, void *request) {
  return mpispec_Issend(buffer, count, element, peer, tag, comm, request, mpispec_size_dynamic,
                        mpispec_node_dynamic);
}

#endif
