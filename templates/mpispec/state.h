/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* state.h - the state: everything that a template tests before it takes its inline path
 *
 * Runtime and templates meet here and nowhere else. The runtime defines the state (runtime/init.c).
 * Every rewritten object defines it again, weakly and as zeros, so that it links and runs correctly
 * without the runtime. fast_size is 0 until everything is ready,
 * and whenever something is not. Therefore the one unsigned comparison `peer < fast_size` excludes
 * every such case, and also ranks out of range, MPI_PROC_NULL and wildcards.
 *
 * No member is padded, so that no packing option of a compiler moves one. */
#ifndef MPISPEC_STATE_H
#define MPISPEC_STATE_H

#include "contract.h"
#include "state_symbol.h"

/* The index of a communicator among the routes. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long
    mpispec_route_place(unsigned long comm) {
  return (comm ^ comm >> 6) % mpispec_state_routes;
}

/* The bytes of an element, or 0 if the type is unknown or has gaps. Called only if there are lanes.
 * No handle finds an empty entry. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned int
    mpispec_type_size(mpispec_type_handle handle) {
  const struct mpispec_type *type =
      &mpispec_state.types[mpispec_type_place(handle, mpispec_state_types)];
  if (type->handle != handle)
    return 0;
  if (!type->size)
    __builtin_unreachable();
  return (unsigned int)type->size;
}

#if defined(MPISPEC_STYLE_OMPI)
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__))
mpispec_handle mpispec_request_null(void) {
  return mpispec_state.null_request;
}
#endif

#if defined(MPISPEC_STYLE_ABI)
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_status_fill(struct mpispec_status *status, int source, int tag, unsigned int bytes) {
  status->source = source;
  status->tag = tag;
  __builtin_memset(status->inside, 0, sizeof status->inside);
  status->inside[mpispec_state.status_count] = (int)bytes;
}

/* The length of a message, or -1 if it is larger than 2 GiB or was cancelled. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) long long
    mpispec_status_bytes(const struct mpispec_status *status) {
  const int count = status->inside[mpispec_state.status_count];
  int all = 0;
  unsigned int i;
  for (i = 0; i < sizeof status->inside / sizeof *status->inside; ++i)
    all |= status->inside[i];
  return all == count ? count : -1;
}
#endif

/* The common bits of the envelopes and headers of a route: none on MPI_COMM_WORLD. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long long
    mpispec_route_key(const struct mpispec_route *route, unsigned long comm) {
  return comm == mpispec_comm_world ? 0 : route->key;
}

static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long long
    mpispec_route_header(const struct mpispec_route *route, unsigned long comm) {
  return comm == mpispec_comm_world ? 0 : route->header;
}

#endif
