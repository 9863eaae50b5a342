/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* handle_abi.h - the binary interface of MPI-5.0, chapter 20 (mpicc_abi of MPICH 5 compiles for it)
 */
#ifndef MPISPEC_HANDLE_ABI_H
#define MPISPEC_HANDLE_ABI_H

#include "handle_address.h"

enum { mpispec_undefined = -32766, mpispec_any_source = -1, mpispec_any_tag = -2 };

static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) mpispec_handle
    mpispec_request_null(void) {
  return 0x180;
}

/* The place of a datatype in a table of `places`, a power of two. Handles of predefined types are
 * small numbers. The library chooses the handles of derived types. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned int
    mpispec_type_place(mpispec_type_handle handle, unsigned int places) {
  return (unsigned int)(handle ^ handle >> 9 ^ handle >> 26) % places;
}

/* Nonzero for a derived type. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_type_is_derived(mpispec_type_handle handle) {
  return handle >> 12 != 0;
}

/* --- statuses ----------------------------------------------------------------------------------*/

/* Programs read what templates write here as another type, MPI_Status. */
struct __attribute__((__may_alias__)) mpispec_status {
  int source;
  int tag;
  int error; /* set only by completions of several requests */
  int inside[5];
};

#endif
