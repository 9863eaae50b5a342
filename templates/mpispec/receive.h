/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* receive.h - how templates post receives and complete requests (contract.h, struct
 * mpispec_receive)
 *
 *   post      [no message of the lane is queued, the list of free receives is not empty]
 *             -> appended to the receives that wait for the lane
 *   complete  [a null request, or a send that was complete at its return] -> the handle is null
 *   complete  [otherwise] -> a function of the runtime, whose code would be too long at a call
 */
#ifndef MPISPEC_RECEIVE_H
#define MPISPEC_RECEIVE_H

#include "message.h"

/* Posts a simple receive. Returns 0 if only the runtime may post one. Called only while no receive
 * from any source waits that may match the same message. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_receive_post(struct mpispec_reader *reader, unsigned long long key, void *buffer, int bytes,
                     int source, mpispec_handle *handle) {
  struct mpispec_receive *receive = mpispec_state.receives;
  if (__builtin_expect(!receive || reader->unexpected, 0))
    return 0;
  mpispec_state.receives = receive->next;
  receive->next = 0;
  receive->key = key;
  receive->buffer = buffer;
  __asm__("" : "+m"(receive->buffer)); /* keeps gcc from merging these stores into a vector store */
  receive->reader = reader;
  receive->bytes = bytes;
  receive->source = source;
  *reader->last = receive;
  reader->last = &receive->next;
  reader->limit = 0;
  ++mpispec_state.posted;
  __asm__("" : "+m"(mpispec_state.posted)); /* for the same reason */
  ++mpispec_state.made;
  *handle = mpispec_request_marked(receive->mark);
  return 1;
}

/* Nonzero for a simple receive whose lane contains no message. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_receive_is_waiting(mpispec_handle handle) {
  const unsigned long place = mpispec_request_place(handle);
  const struct mpispec_reader *reader;
  if (place >= mpispec_state_receives)
    return 0;
  reader = mpispec_state.receive_at[place]->reader;
  return reader && mpispec_lane_is_empty(reader);
}

/* Nonzero for a null request, and for the request of a send that was complete when its call
 * returned. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_handle_needs_no_wait(mpispec_handle handle) {
  return handle == mpispec_request_complete || handle == mpispec_request_null();
}

/* Completes a request: makes the handle null, and fills in `status` unless it is null. Returns 0 if
 * the request is not complete, or only the ordinary call can complete it. Only the case of a null
 * request or a complete send without a status is inline. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_handle_complete(mpispec_handle *handle, struct mpispec_status *status) {
  if (status || !mpispec_handle_needs_no_wait(*handle)) {
    return mpispec_state.fast_size && mpispec_state.complete(handle, status);
  }
  *handle = mpispec_request_null();
  return 1;
}

#endif
