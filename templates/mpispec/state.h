/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* state.h - the state: everything that a template tests before it takes its fast path
 *
 * Templates refer to no other symbol of the runtime. The runtime defines the state
 * (runtime/init.c). Every rewritten object defines it again, weakly and as zeros, so that it links
 * and runs correctly without the runtime. fast_size is 0 until the runtime has opened the lanes,
 * and while templates must not use them. Therefore one unsigned comparison, `peer < fast_size`,
 * excludes these cases, ranks out of range, MPI_PROC_NULL and wildcards.
 *
 * No padding precedes any member. Therefore options like -fpack-struct do not move members. */
#ifndef MPISPEC_STATE_H
#define MPISPEC_STATE_H

#include "contract.h"
#include "state_symbol.h"

/* The index of a communicator's entry in the state's `routes`. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long
    mpispec_route_place(unsigned long comm) {
  return (comm ^ comm >> 6) % mpispec_state_routes;
}

/* The bytes of an element, or 0 if the type is unknown or has gaps. Called only if there are lanes.
 * An empty entry contains a handle that belongs to another entry, so that no lookup matches it. */
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

/* The length of a message in bytes. The result is negative for lengths from 2 GiB to 4 GiB. It is
 * -1 if another word of `inside` is not 0: the message is longer, or was cancelled. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) long long
    mpispec_status_bytes(const struct mpispec_status *status) {
  const unsigned int count = (unsigned int)mpispec_state.status_count;
  int others = 0;
  unsigned int i;
  for (i = 0; i < sizeof status->inside / sizeof *status->inside; ++i)
    others |= i == count ? 0 : status->inside[i];
  return others ? -1 : status->inside[count];
}
#endif

/* The bits that all envelopes of a route have in common, and those that all headers have. Both are
 * 0 for mpispec_comm_world. */
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
