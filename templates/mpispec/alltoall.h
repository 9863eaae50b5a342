/* alltoall.h - MPI_Alltoall
 *
 * Every rank sends a block to every rank (MPI-4.0, section 6.8).
 *
 *   Alltoall [always] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   short       the bytes that a rank gives are at most mpispec_short_bytes
 *   long        they are more than that
 *   predefined  the datatype is predefined and contiguous
 *   generic     nothing
 */
#ifndef MPISPEC_ALLTOALL_H
#define MPISPEC_ALLTOALL_H

#include "call.h"

/* The one body; size and predefined are constants in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Alltoall(const void *send_buffer, long long send_count, long long send_element,
                 void *recv_buffer, long long recv_count, long long recv_element,
                 unsigned long comm, const char *place, enum mpispec_size size, int predefined) {
  (void)send_buffer;
  (void)send_count;
  (void)send_element;
  (void)recv_buffer;
  (void)recv_count;
  (void)recv_element;
  (void)comm;
  (void)place;
  (void)size;
  (void)predefined;
  return 0; /* each rank reads blocks of all others: little is gained where the call is made */
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Alltoall_short_predefined(const void *send_buffer, long long send_count,
                                  long long send_element, void *recv_buffer, long long recv_count,
                                  long long recv_element, unsigned long comm, const char *place) {
  return mpispec_Alltoall(send_buffer, send_count, send_element, recv_buffer, recv_count,
                          recv_element, comm, place, mpispec_size_short, 1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Alltoall_long_predefined(const void *send_buffer, long long send_count,
                                 long long send_element, void *recv_buffer, long long recv_count,
                                 long long recv_element, unsigned long comm, const char *place) {
  return mpispec_Alltoall(send_buffer, send_count, send_element, recv_buffer, recv_count,
                          recv_element, comm, place, mpispec_size_long, 1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Alltoall_predefined(const void *send_buffer, long long send_count, long long send_element,
                            void *recv_buffer, long long recv_count, long long recv_element,
                            unsigned long comm, const char *place) {
  return mpispec_Alltoall(send_buffer, send_count, send_element, recv_buffer, recv_count,
                          recv_element, comm, place, mpispec_size_dynamic, 1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Alltoall_short(const void *send_buffer, long long send_count, long long send_element,
                       void *recv_buffer, long long recv_count, long long recv_element,
                       unsigned long comm, const char *place) {
  return mpispec_Alltoall(send_buffer, send_count, send_element, recv_buffer, recv_count,
                          recv_element, comm, place, mpispec_size_short, 0);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Alltoall_long(const void *send_buffer, long long send_count, long long send_element,
                      void *recv_buffer, long long recv_count, long long recv_element,
                      unsigned long comm, const char *place) {
  return mpispec_Alltoall(send_buffer, send_count, send_element, recv_buffer, recv_count,
                          recv_element, comm, place, mpispec_size_long, 0);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Alltoall_generic(const void *send_buffer, long long send_count, long long send_element,
                         void *recv_buffer, long long recv_count, long long recv_element,
                         unsigned long comm, const char *place) {
  return mpispec_Alltoall(send_buffer, send_count, send_element, recv_buffer, recv_count,
                          recv_element, comm, place, mpispec_size_dynamic, 0);
}

#endif
