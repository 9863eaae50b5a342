/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Completes simple receives. See simple_receive.h. */
#include "p2p/simple_receive.h"

#include "mpispec/machine.h"
#include "p2p/peek.h"
#include "progress/progress.h"
#include "shm/lane.h"

/* Takes the first receives of a lane, up to `last`, off its list. They stay linked, and become free
 * receives. */
static inline __attribute__((always_inline)) void take_row(struct mpispec_reader *reader,
                                                           struct mpispec_receive *last) {
  struct mpispec_receive *const rest = last->next;
  last->next = mpispec_state.receives;
  mpispec_state.receives = reader->first;
  reader->first = rest;
  if (!rest) {
    reader->last = &reader->first;
    mpispec_receive_open_lane(reader);
  }
}

/* Completes a filled receive for the program: its status and its handle. */
static inline __attribute__((always_inline)) void
end_filled(struct mpispec_receive *receive, mpispec_handle *handle, struct mpispec_status *status) {
  if (status)
    mpispec_status_fill(status, receive->source, mpispec_key_tag(receive->key),
                        (unsigned)receive->bytes);
  receive->reader = NULL;
  *handle = mpispec_request_null();
}

/* Completes simple receives at the front of an array, while they are the first receives of one
 * lane, have no rivals, and match its next messages. Returns the number of completed receives. */
static unsigned end_row(unsigned count, mpispec_handle *handles, struct mpispec_status *statuses) {
  struct mpispec_receive *receive = mpispec_receive_find(*handles), *last = NULL;
  struct mpispec_reader *const reader = receive ? receive->reader : NULL;
  unsigned ended = 0;
  if (!reader || receive != reader->first)
    return 0;
  while (!mpispec_matching_has_rival(&mpispec_queues, receive->key, 0) &&
         mpispec_simple_fill(receive, reader)) {
    end_filled(receive, &handles[ended], statuses ? &statuses[ended] : NULL);
    last = receive;
    receive = receive->next;
    if (++ended == count || !receive || receive->reader != reader ||
        handles[ended] != mpispec_request_marked(receive->mark))
      break;
  }
  if (last) {
    mpispec_state.posted -= ended;
    take_row(reader, last);
  }
  return ended;
}

/* Called where a row of receives stopped. Gives the credit that is due at the limit of a lane, and
 * follows a link. Returns nonzero if the row may continue. Adds 1 to `*limits` at a limit. Progress
 * is due at each limit, but is made after the row, because it might drain the lane. */
static __attribute__((noinline)) int pass_on(mpispec_handle handle, unsigned *limits) {
  const struct mpispec_receive *receive = mpispec_receive_find(handle);
  if (!receive || !receive->reader || receive != receive->reader->first)
    return 0;
  struct mpispec_reader *const reader = receive->reader;
  const struct mpispec_cell *const stop = reader->next;
  const int is_at_limit = stop >= reader->end;
  if (is_at_limit)
    mpispec_lane_give_credit((struct mpispec_incoming *)reader);
  *limits += (unsigned)is_at_limit;
  mpispec_lane_peek((struct mpispec_incoming *)reader);
  return is_at_limit || reader->next != stop;
}

/* Ends a null request or mpispec_request_done. Otherwise returns 0. */
static inline __attribute__((always_inline)) int end_without_wait(mpispec_handle *handle,
                                                                  struct mpispec_status *status) {
  if (!mpispec_handle_needs_no_wait(*handle))
    return 0;
  *handle = mpispec_request_null();
  if (status)
    mpispec_status_fill(status, mpispec_any_source, mpispec_any_tag, 0);
  return 1;
}

/* The same, and ends a simple receive that is over after a poll. */
static __attribute__((noinline)) int end_polled(mpispec_handle *handle,
                                                struct mpispec_status *status) {
  struct mpispec_receive *receive = mpispec_receive_find(*handle);
  if (!receive)
    return end_without_wait(handle, status);
  if (!mpispec_receive_poll(receive))
    return 0;
  if (status)
    mpispec_status_fill(status, receive->source, receive->tag, (unsigned)receive->bytes);
  *handle = mpispec_request_null();
  receive->use = mpispec_receive_free;
  receive->next = mpispec_state.receives;
  mpispec_state.receives = receive;
  return 1;
}

static __attribute__((noinline)) int end_other(mpispec_handle *handle,
                                               struct mpispec_status *status) {
  return (int)mpispec_simple_complete_prefix(1, handle, status);
}

/* Completes the first receive of a lane, into which a message of `length` bytes has been copied. */
static inline __attribute__((always_inline)) int end_first(struct mpispec_receive *receive,
                                                           struct mpispec_reader *reader,
                                                           int64_t length, mpispec_handle *handle,
                                                           struct mpispec_status *status) {
  receive->bytes = (int)length;
  end_filled(receive, handle, status);
  --mpispec_state.posted;
  take_row(reader, receive);
  return 1;
}

/* Completes the first receive of its lane if its message is the next one and takes several cells or
 * a block. */
static __attribute__((noinline)) int end_longer(mpispec_handle *handle,
                                                struct mpispec_status *status) {
  struct mpispec_receive *receive = mpispec_receive_find(*handle);
  struct mpispec_reader *const reader = receive->reader;
  const int64_t length =
      mpispec_recv_longer(reader, reader->end, receive->buffer, receive->bytes, 0);
  if (length < 0)
    MPISPEC_JUMP end_other(handle, status);
  return end_first(receive, reader, length, handle, status);
}

/* The fast path: the receive is the first of its lane, no receive from any source waits, and the
 * message takes one cell. Whether the receive has a rival is looked up in end_other. */
int mpispec_simple_complete(mpispec_handle *handle, struct mpispec_status *status) {
  struct mpispec_receive *receive = mpispec_receive_find(*handle);
  struct mpispec_reader *const reader = receive ? receive->reader : NULL;
  if (!reader)
    MPISPEC_JUMP end_polled(handle, status);
  if (receive != reader->first || mpispec_matching_awaits_any(&mpispec_queues))
    MPISPEC_JUMP end_other(handle, status);
  const int64_t length =
      mpispec_recv_fast(reader, reader->end, receive->key,
                        (struct mpispec_memory){receive->buffer, receive->bytes, NULL, 0});
  if (length >= 0)
    return end_first(receive, reader, length, handle, status);
  if (length == MPISPEC_IS_LONGER)
    MPISPEC_JUMP end_longer(handle, status);
  MPISPEC_JUMP end_other(handle, status);
}

int mpispec_posted_is_waiting(MPI_Request handle) {
  const struct mpispec_request *request = mpispec_request_find(handle);
  if (!request || request->receive.use != mpispec_receive_under_way || request->receive.reader ||
      !request->lane)
    return 0;
  return request->lane == &mpispec_queues.any ? mpispec_peek_finds_nothing()
                                              : mpispec_lane_is_empty(request->lane);
}

int mpispec_simple_test(mpispec_handle *handle, int *flag, struct mpispec_status *status) {
  if (mpispec_has_nothing_come((MPI_Request)*handle)) {
    *flag = 0;
    mpispec_progress_note_empty_poll();
    return 1;
  }
  if (!mpispec_simple_complete(handle, status))
    return 0;
  *flag = 1;
  return 1;
}

unsigned mpispec_simple_complete_row(unsigned count, mpispec_handle *handles,
                                     struct mpispec_status *statuses) {
  unsigned ended = 0, passed = 0;
  for (;;) {
    ended += end_row(count - ended, handles + ended, statuses ? &statuses[ended] : NULL);
    if (ended == count || !pass_on(handles[ended], &passed))
      break;
  }
  if (passed)
    mpispec_progress_opportunistic();
  return ended;
}

unsigned mpispec_simple_complete_prefix(unsigned count, mpispec_handle *handles,
                                        struct mpispec_status *statuses) {
  unsigned ended = 0, row;
  while (ended < count) {
    struct mpispec_status *const rest = statuses ? &statuses[ended] : NULL;
    if (end_without_wait(handles + ended, rest)) {
      ++ended;
      continue;
    }
    row = mpispec_simple_complete_row(count - ended, handles + ended, rest);
    if (!row && !end_polled(handles + ended, rest))
      break;
    ended += row ? row : 1;
  }
  return ended;
}
