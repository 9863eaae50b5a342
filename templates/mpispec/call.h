/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* call.h - constants for the facts about a call, and the guards of all templates
 *
 * Each operation has one function, its body, and some operations have a second one for long
 * messages. A body gets the facts about a call as constants, and the compiler removes the code that
 * the facts make unnecessary. Therefore bodies are always inlined, except mpispec_Barrier. The
 * header comment of each operation has equations. docs/Templates.md explains their terms, such as
 * "bytes fit" and "comm has slots". */
#ifndef MPISPEC_CALL_H
#define MPISPEC_CALL_H

#include "message.h"
#include "weak_state.h"

/* The proven fact about the peer. Dynamic: nothing is proven. Remote: the peer is another process.
 * Local: the peer is the calling process. */
enum mpispec_locality { mpispec_locality_dynamic, mpispec_locality_remote, mpispec_locality_local };

/* Returns the route of `comm`. Returns null if `peer` is none of its ranks, or if the state does
 * not contain the route. Also returns null if the call must not take the fast path. `size` is
 * fast_size or receive_size of the state. For MPI_COMM_WORLD one comparison excludes several cases:
 * calls before MPI_Init, a runtime that is absent or switched off, MPI_PROC_NULL and wildcards. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__))
const struct mpispec_route *
mpispec_call_route(unsigned long comm, int peer, unsigned int size) {
  const struct mpispec_route *route = &mpispec_state.world;
  if (__builtin_constant_p(peer) && peer < 0)
    return 0; /* no code for a path that is never executed */
  if (comm == mpispec_comm_world)
    return __builtin_expect((unsigned int)peer < size, 1) ? route : 0;
  if (!size)
    return 0;
  route = &mpispec_state.routes[mpispec_route_place(comm)];
  return route->comm == comm && (unsigned int)peer < route->size ? route : 0;
}

/* Returns the route of `comm` if all its members are on this node. Returns null if a member is on
 * another node, if the state does not contain the route, or if templates may not receive. Also
 * returns null while mpispec_heads.open is 0. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__))
const struct mpispec_route *
mpispec_call_heads(unsigned long comm) {
  const struct mpispec_route *route = &mpispec_state.world;
  if (comm == mpispec_comm_world)
    return __builtin_expect(mpispec_state.heads.world != 0, 1) ? route : 0;
  if (!mpispec_state.receive_size || !mpispec_state.heads.open)
    return 0;
  route = &mpispec_state.routes[mpispec_route_place(comm)];
  return route->comm == comm && route->is_local ? route : 0;
}

/* Nonzero if a message can have this tag. All tags up to 32767 are valid (MPI-4.0, section
 * 9.1.2). */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_call_has_tag(int tag) {
  if (__builtin_constant_p(tag) && (tag < 0 || tag <= 32767))
    return tag >= 0;
  return (unsigned int)tag <= mpispec_state.largest_tag;
}

/* Nonzero if a receive or a probe can have this tag. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_call_has_pattern(int tag) {
  return tag == mpispec_any_tag || mpispec_call_has_tag(tag);
}

/* The bytes of a message that may travel in cells, or -1. `element` is a constant,
 * -1 if unknown. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) long long
    mpispec_call_short_bytes(long long count, long long element) {
  unsigned long long limit;
  if (element <= 0)
    return -1;
  limit = mpispec_cell_payload;
  if (__builtin_constant_p(count))
    limit = mpispec_short_bytes;
  if ((unsigned long long)count > limit / (unsigned long long)element)
    return -1;
  return count * element;
}

/* The bytes of a receive's buffer. Negative if the count is negative or large, or the datatype
 * unknown. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) long long
    mpispec_call_room(long long count, long long element) {
  if (element <= 0)
    return -1;
  if (count != (int)count) /* a large count, whose product might overflow to a short length */
    return -1;
  return count * element;
}

/* The bytes of a long message, or -1 if the ordinary call must check them. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) long long
    mpispec_call_long_bytes(long long count, long long element) {
  return element > 0 && count >= 0 && count == (int)count ? count * element : -1;
}

/* Returns the address of the number of polls for a message, or null for a single poll. For a
 * message of one cell, more polls gain nothing, because the ordinary call polls equally well. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__))
const unsigned int *
mpispec_call_polls(long long room) {
  return __builtin_constant_p(room) && room > mpispec_cell_payload ? &mpispec_state.polls : 0;
}

/* Nonzero if templates may use lanes. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_call_may_use_lanes(void) {
  return mpispec_state.fast_size != 0;
}

#endif
