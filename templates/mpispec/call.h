/* call.h - constants for the facts about a call, and the guards of all templates
 *
 * An operation is one always-inline body. Facts about a call reach it as constants, and the
 * compiler removes the code that they make unnecessary. */
#ifndef MPISPEC_CALL_H
#define MPISPEC_CALL_H

#include "message.h"
#include "weak_state.h"

/* The peer against the calling process. */
enum mpispec_locality { mpispec_locality_dynamic, mpispec_locality_remote, mpispec_locality_local };

/* The route to peer, or null if the call must not take the fast path; size is one of those in the
 * state. For MPI_COMM_WORLD the one comparison also says no before MPI_Init, when the runtime is
 * absent or switched off, and to MPI_PROC_NULL and wildcards, which are negative. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__))
const struct mpispec_route *
mpispec_call_route(unsigned long comm, int peer, unsigned int size) {
  const struct mpispec_route *route = &mpispec_state.world;
  if (__builtin_constant_p(peer) && peer < 0)
    return 0; /* what no execution takes is not compiled */
  if (comm == mpispec_comm_world)
    return __builtin_expect((unsigned int)peer < size, 1) ? route : 0;
  if (!size)
    return 0;
  route = &mpispec_state.routes[mpispec_route_place(comm)];
  return route->comm == comm && (unsigned int)peer < route->size ? route : 0;
}

/* The route of a communicator of which all members are on this node, while what is at the heads of
 * lanes is all there is; else null. */
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

/* Is the tag one that a message can have? All up to 32767 are (MPI-4.0, section 9.1.2). */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_call_has_tag(int tag) {
  if (__builtin_constant_p(tag) && (tag < 0 || tag <= 32767))
    return tag >= 0;
  return (unsigned int)tag <= mpispec_state.largest_tag;
}

/* Is it a tag that a receive or a probe can name? */
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

/* The bytes that a receive has room for; negative if the count is, or if it is not known. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) long long
    mpispec_call_room(long long count, long long element) {
  if (element <= 0)
    return -1;
  if (count != (int)count) /* of the large-count form: what is not short must not seem so */
    return -1;
  return count * element;
}

/* The bytes of a long message, or -1 if the ordinary call must look at them. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) long long
    mpispec_call_long_bytes(long long count, long long element) {
  return element > 0 && count >= 0 && count == (int)count ? count * element : -1;
}

/* How long to look for a message: for one of a cell the ordinary call looks just as well, and only
 * once is enough here; one of several is taken out of its cells nowhere else. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__))
const unsigned int *
mpispec_call_polls(long long room) {
  return __builtin_constant_p(room) && room > mpispec_cell_payload ? &mpispec_state.polls : 0;
}

/* Is there any lane at all? */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_call_has_lanes(void) {
  return mpispec_state.fast_size != 0;
}

#endif
