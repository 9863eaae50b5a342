/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* handle_mpich.h - the binary interface of MPICH 3 to 5, Intel MPI, MVAPICH and Cray MPI
 *
 * Handles are integers whose two top bits are the kind, where 0 means "invalid". The handle of a
 * runtime's request has kind 0, a top byte of its own, and the index. MPI_REQUEST_NULL also has
 * kind 0, with another top byte. */
#ifndef MPISPEC_HANDLE_MPICH_H
#define MPISPEC_HANDLE_MPICH_H

typedef int mpispec_handle;
typedef unsigned int mpispec_type_handle;

enum {
  mpispec_request_complete = 0x1dffffff, /* a send that was complete when its call returned */
  mpispec_request_first = 0x1d000000,    /* the runtime's first request */
  mpispec_undefined = -32766,
  mpispec_any_source = -2,
  mpispec_any_tag = -1
};

static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) mpispec_handle
    mpispec_request_null(void) {
  return 0x2c000000;
}

/* The index of a request of the runtime. For other requests the result is larger than any index. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned int
    mpispec_request_place(mpispec_handle handle) {
  return (unsigned int)handle - mpispec_request_first;
}

/* The handle of a request of the runtime. `mark` is the whole handle, which mpispec_receive.mark
 * contains. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) mpispec_handle
    mpispec_request_marked(int mark) {
  return mark;
}

/* The place of a datatype in a table of `places`, a power of two. Handles of one kind differ in
 * their low bits. The six highest bits are the kind of the handle and of its object, and differ
 * between predefined and derived types. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned int
    mpispec_type_place(mpispec_type_handle handle, unsigned int places) {
  unsigned int block = handle >> 26;
  __asm__("" : "+r"(block)); /* otherwise the compiler uses one more register */
  return (handle ^ block) % places;
}

/* Nonzero for a derived type, and for the predefined types of pairs, such as MPI_DOUBLE_INT. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_type_is_derived(mpispec_type_handle handle) {
  return (int)(handle >> 31);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_is_in_place(const void *buffer) {
  return (long)buffer == -1;
}

/* --- statuses ----------------------------------------------------------------------------------*/

/* Programs read what templates write here as another type, MPI_Status. */
struct __attribute__((__may_alias__)) mpispec_status {
  int count_low;                /* the lower 32 bits of the number of bytes */
  int count_high_and_cancelled; /* the upper bits, shifted by one; bit 0: cancelled */
  int source;
  int tag;
  int error; /* set only by completions of several requests */
};

/* MPI_STATUS_IGNORE is address 1. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void *
mpispec_status_ignore(void) {
  return (void *)1;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_status_is_ignored(const void *status) {
  return (unsigned long)status == 1;
}

/* Nonzero unless the pointer is null, which is invalid. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_status_is_there(const void *status) {
  return status != 0;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_status_fill(struct mpispec_status *status, int source, int tag, unsigned int bytes) {
  const unsigned long long count = bytes; /* both parts in one store */
  __builtin_memcpy(status, &count, sizeof count);
  status->source = source;
  status->tag = tag;
}

/* The length of a message in bytes, or -1 if it is at least 4 GiB or was cancelled. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) long long
    mpispec_status_bytes(const struct mpispec_status *status) {
  return status->count_high_and_cancelled ? -1 : (long long)(unsigned int)status->count_low;
}

#endif
