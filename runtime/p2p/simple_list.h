/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The simple receives (mpispec/contract.h) that wait at the reading end of a lane: a list in the
 * order in which they were posted. Called with the lock held, or in a process that uses no lock. */
#ifndef MPISPEC_RUNTIME_SIMPLE_LIST_H
#define MPISPEC_RUNTIME_SIMPLE_LIST_H

#include "mpispec/receive.h"
#include "p2p/fast_path.h"
#include "p2p/queues.h"

/* Sets the limit of a lane for which no receive waits any more. The limit stays null while messages
 * of the lane are in the unexpected queue, because they come first. */
static inline void mpispec_receive_open_lane(struct mpispec_reader *reader) {
  if (__builtin_expect(!reader->unexpected, 1))
    reader->limit = reader->end;
}

/* Takes the first receive of a lane off the list. */
static inline void mpispec_receive_take_off(struct mpispec_reader *reader,
                                            struct mpispec_receive *first) {
  first->reader = 0;
  reader->first = first->next;
  --mpispec_state.posted;
  if (!first->next) {
    reader->last = &reader->first;
    mpispec_receive_open_lane(reader);
  }
}

/* Receives the next message of a lane into `receive`, the first receive of this lane. The message
 * must match, and mpispec_recv_any_length must be able to receive it. Otherwise returns 0 and
 * changes nothing. */
static inline __attribute__((always_inline)) int
mpispec_simple_fill(struct mpispec_receive *receive, struct mpispec_reader *reader) {
  const int64_t length =
      mpispec_recv_any_length(reader, reader->end, receive->key, receive->buffer, receive->bytes);
  if (length < 0)
    return 0;
  receive->bytes = (int)length;
  return 1;
}

/* Completes the first receive of a lane if it is simple, has no rival, and mpispec_simple_fill
 * fills it. Otherwise returns 0. */
static inline int mpispec_receive_next(struct mpispec_reader *reader) {
  struct mpispec_receive *first = reader->first;
  if (!first->reader || mpispec_matching_has_rival(&mpispec_queues, first->key, 0) ||
      !mpispec_simple_fill(first, reader))
    return 0;
  first->tag = mpispec_key_tag(first->key);
  first->use = mpispec_receive_complete;
  mpispec_receive_take_off(reader, first);
  return 1;
}

#endif
