/* sendrecv.h - MPI_Sendrecv
 *
 * A send and a receive in one call, which go on at the same time (MPI-4.0, section 3.10).
 *
 *   Sendrecv [destination, source < fast_size] -> Isend; Recv; complete the send
 *   Sendrecv [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   short    the bytes of each side are at most mpispec_short_bytes, in a predefined contiguous
 *            datatype
 *   long     the bytes of each side are more than that, in a predefined contiguous datatype
 *   remote   both peers are not the caller
 *   local    both peers are the caller
 *   generic  nothing
 */
#ifndef MPISPEC_SENDRECV_H
#define MPISPEC_SENDRECV_H

#include "call.h"

/* The one body; size and node are constants in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv(const void *send_buffer, long long send_count, long long send_element,
                 int destination, int send_tag, void *recv_buffer, long long recv_count,
                 long long recv_element, int source, int recv_tag, unsigned long comm, void *status,
                 enum mpispec_size size, enum mpispec_node node) {
  (void)send_buffer;
  (void)send_count;
  (void)send_element;
  (void)send_tag;
  (void)recv_buffer;
  (void)recv_count;
  (void)recv_element;
  (void)recv_tag;
  (void)comm;
  (void)status;
  (void)size;
  (void)node;
  if (!mpispec_call_is_fast(destination) || !mpispec_call_is_fast(source))
    return 0;
  /* There is no lane to take yet: the caller makes the ordinary call. */
  return 0;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_long_remote(const void *send_buffer, long long send_count, long long send_element,
                             int destination, int send_tag, void *recv_buffer, long long recv_count,
                             long long recv_element, int source, int recv_tag, unsigned long comm,
                             void *status) {
  return mpispec_Sendrecv(send_buffer, send_count, send_element, destination, send_tag, recv_buffer,
                          recv_count, recv_element, source, recv_tag, comm, status,
                          mpispec_size_long, mpispec_node_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_short_remote(const void *send_buffer, long long send_count, long long send_element,
                              int destination, int send_tag, void *recv_buffer,
                              long long recv_count, long long recv_element, int source,
                              int recv_tag, unsigned long comm, void *status) {
  return mpispec_Sendrecv(send_buffer, send_count, send_element, destination, send_tag, recv_buffer,
                          recv_count, recv_element, source, recv_tag, comm, status,
                          mpispec_size_short, mpispec_node_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_remote(const void *send_buffer, long long send_count, long long send_element,
                        int destination, int send_tag, void *recv_buffer, long long recv_count,
                        long long recv_element, int source, int recv_tag, unsigned long comm,
                        void *status) {
  return mpispec_Sendrecv(send_buffer, send_count, send_element, destination, send_tag, recv_buffer,
                          recv_count, recv_element, source, recv_tag, comm, status,
                          mpispec_size_dynamic, mpispec_node_remote);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_long_local(const void *send_buffer, long long send_count, long long send_element,
                            int destination, int send_tag, void *recv_buffer, long long recv_count,
                            long long recv_element, int source, int recv_tag, unsigned long comm,
                            void *status) {
  return mpispec_Sendrecv(send_buffer, send_count, send_element, destination, send_tag, recv_buffer,
                          recv_count, recv_element, source, recv_tag, comm, status,
                          mpispec_size_long, mpispec_node_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_short_local(const void *send_buffer, long long send_count, long long send_element,
                             int destination, int send_tag, void *recv_buffer, long long recv_count,
                             long long recv_element, int source, int recv_tag, unsigned long comm,
                             void *status) {
  return mpispec_Sendrecv(send_buffer, send_count, send_element, destination, send_tag, recv_buffer,
                          recv_count, recv_element, source, recv_tag, comm, status,
                          mpispec_size_short, mpispec_node_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_local(const void *send_buffer, long long send_count, long long send_element,
                       int destination, int send_tag, void *recv_buffer, long long recv_count,
                       long long recv_element, int source, int recv_tag, unsigned long comm,
                       void *status) {
  return mpispec_Sendrecv(send_buffer, send_count, send_element, destination, send_tag, recv_buffer,
                          recv_count, recv_element, source, recv_tag, comm, status,
                          mpispec_size_dynamic, mpispec_node_local);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_long(const void *send_buffer, long long send_count, long long send_element,
                      int destination, int send_tag, void *recv_buffer, long long recv_count,
                      long long recv_element, int source, int recv_tag, unsigned long comm,
                      void *status) {
  return mpispec_Sendrecv(send_buffer, send_count, send_element, destination, send_tag, recv_buffer,
                          recv_count, recv_element, source, recv_tag, comm, status,
                          mpispec_size_long, mpispec_node_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_short(const void *send_buffer, long long send_count, long long send_element,
                       int destination, int send_tag, void *recv_buffer, long long recv_count,
                       long long recv_element, int source, int recv_tag, unsigned long comm,
                       void *status) {
  return mpispec_Sendrecv(send_buffer, send_count, send_element, destination, send_tag, recv_buffer,
                          recv_count, recv_element, source, recv_tag, comm, status,
                          mpispec_size_short, mpispec_node_dynamic);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Sendrecv_generic(const void *send_buffer, long long send_count, long long send_element,
                         int destination, int send_tag, void *recv_buffer, long long recv_count,
                         long long recv_element, int source, int recv_tag, unsigned long comm,
                         void *status) {
  return mpispec_Sendrecv(send_buffer, send_count, send_element, destination, send_tag, recv_buffer,
                          recv_count, recv_element, source, recv_tag, comm, status,
                          mpispec_size_dynamic, mpispec_node_dynamic);
}

#endif
