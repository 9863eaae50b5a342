/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* handle_address.h - the common part of the interfaces whose handles are addresses: MPI-5's and
 * Open MPI's */
#ifndef MPISPEC_HANDLE_ADDRESS_H
#define MPISPEC_HANDLE_ADDRESS_H

/* Handles are addresses: 64 bits. The handle of a runtime's request has a top byte that no address
 * of any processor has. Its low bits contain the index of the request. */
typedef unsigned long __attribute__((__may_alias__)) mpispec_handle;
typedef unsigned long mpispec_type_handle;

/* The handle of the runtime's first request; and the handle of a send that was complete when its
 * call returned. */
static const unsigned long mpispec_request_first __attribute__((__unused__)) = 0x1d00000000000000ul;
static const unsigned long mpispec_request_complete __attribute__((__unused__)) =
    0x1d00000000fffffful;

/* The index of a request of the runtime. For other requests the result is larger than any index. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long
    mpispec_request_place(mpispec_handle handle) {
  return handle - mpispec_request_first;
}

/* The handle of a request of the runtime. `mark` is the low 32 bits of the handle, which
 * mpispec_receive.mark contains. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) mpispec_handle
    mpispec_request_marked(int mark) {
  return mpispec_request_first | (unsigned int)mark;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_is_in_place(const void *buffer) {
  return (long)buffer == 1;
}

/* MPI_STATUS_IGNORE is the null pointer. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void *
mpispec_status_ignore(void) {
  return 0;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_status_is_ignored(const void *status) {
  return !status;
}

/* Nonzero unless the pointer is invalid: always nonzero, because null is MPI_STATUS_IGNORE. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_status_is_there(const void *status) {
  (void)status;
  return 1;
}

#endif
