/* handle_address.h - the common part of the interfaces whose handles are addresses: MPI-5's and
 * Open MPI's */
#ifndef MPISPEC_HANDLE_ADDRESS_H
#define MPISPEC_HANDLE_ADDRESS_H

/* Handles are addresses: 64 bits. The top byte of one of ours is a mark that makes it an address of
 * no processor's; its low bits are the request's place among all. */
typedef unsigned long __attribute__((__may_alias__)) mpispec_handle;
typedef unsigned long mpispec_type_handle;

/* The first of ours, from which they are counted; and that of a send that was over when its call
 * returned. */
static const unsigned long mpispec_request_first __attribute__((__unused__)) = 0x1d00000000000000ul;
static const unsigned long mpispec_request_complete __attribute__((__unused__)) =
    0x1d00000000fffffful;

/* The place of a request of ours among all; another's is too large. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long
    mpispec_request_place(mpispec_handle handle) {
  return handle - mpispec_request_first;
}

/* And back; `mark` is what a receive keeps of its handle. */
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

/* Is there a status, or is none wanted? One of the two, always. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_status_is_there(const void *status) {
  (void)status;
  return 1;
}

#endif
