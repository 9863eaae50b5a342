/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* handle_ompi.h - the binary interface of Open MPI 4 and 5 */
#ifndef MPISPEC_HANDLE_OMPI_H
#define MPISPEC_HANDLE_OMPI_H

#include "handle_address.h"

enum { mpispec_undefined = -32766, mpispec_any_source = -1, mpispec_any_tag = -1 };

/* The place of a datatype in a table of `places`, a power of two. Predefined types are variables of
 * 512 bytes each, derived types are allocated. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned int
    mpispec_type_place(mpispec_type_handle handle, unsigned int places) {
  return (unsigned int)(handle >> 9 ^ handle >> 4) % places;
}

/* Open MPI's handles do not show whether a type is derived. The result need only be the same for
 * equal handles. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_type_is_derived(mpispec_type_handle handle) {
  return (int)(handle >> 4 & 1);
}

/* --- statuses ----------------------------------------------------------------------------------*/

/* Programs read what templates write here as another type, MPI_Status. */
struct __attribute__((__may_alias__)) mpispec_status {
  int source;
  int tag;
  int error; /* set only by completions of several requests */
  int cancelled;
  unsigned long bytes;
};

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_status_fill(struct mpispec_status *status, int source, int tag, unsigned int bytes) {
  status->source = source;
  status->tag = tag;
  status->cancelled = 0;
  status->bytes = bytes;
}

/* The length of a message, or -1 if it was cancelled. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) long long
    mpispec_status_bytes(const struct mpispec_status *status) {
  return status->cancelled ? -1 : (long long)status->bytes;
}

#endif
