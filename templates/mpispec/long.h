/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* long.h - sends of long messages, in any mode
 *
 * A message that is known to be long goes to the runtime with its arguments decoded.
 *
 *   Send_long, Isend_long [a lane to peer; a buffered one fits the attached buffer] -> the runtime
 *         sends it
 *   Send_long, Isend_long [otherwise] -> the ordinary call
 *
 * `mode` is a constant. A ready send has the mode of a standard one. */
#ifndef MPISPEC_LONG_H
#define MPISPEC_LONG_H

#include "call.h"

/* `request` is null for a blocking send. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_begin_long(const void *buffer, long long count, long long element, int peer, int tag,
                   unsigned long comm, void *request, enum mpispec_send_mode mode) {
  const struct mpispec_route *route = mpispec_call_route(comm, peer, mpispec_state.fast_size);
  const long long bytes = mpispec_call_long_bytes(count, element);
  return route && buffer && bytes >= 0 && mpispec_call_has_tag(tag) &&
         !mpispec_state.send[mode](buffer, bytes, route, peer, tag, (mpispec_handle *)request);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Send_long(const void *buffer, long long count, long long element, int peer, int tag,
                  unsigned long comm, enum mpispec_send_mode mode) {
  return mpispec_begin_long(buffer, count, element, peer, tag, comm, 0, mode);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Isend_long(const void *buffer, long long count, long long element, int peer, int tag,
                   unsigned long comm, void *request, enum mpispec_send_mode mode) {
  return request && mpispec_begin_long(buffer, count, element, peer, tag, comm, request, mode);
}

#endif
