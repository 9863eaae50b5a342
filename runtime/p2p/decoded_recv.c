/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Receives whose arguments are decoded. See decoded_recv.h. */
#include "p2p/decoded_recv.h"

#include "p2p/completion.h"
#include "p2p/fast_path.h"
#include "p2p/network.h"
#include "p2p/queues.h"
#include "p2p/request_wait.h"
#include "progress/first_polls.h"
#include "progress/lane_polls.h"
#include "progress/lock.h"
#include "progress/parking.h"
#include "progress/progress.h"
#include "shm/lane.h"

struct mpispec_request *mpispec_post_recv(const struct mpispec_call *call,
                                          enum mpispec_tried tried) {
  struct mpispec_request *request;
  if (mpispec_call_is_local(call)) {
    request = mpispec_request_begin(MPISPEC_RECEIVE, call, 0);
    mpispec_receive_start(request, tried);
    return request;
  }
  if (!mpispec_network_overlaps_listed(call->communicator, call->peer, call->tag))
    return NULL;
  request = mpispec_request_begin(MPISPEC_FOREIGN, call, 0);
  mpispec_network_list(request);
  return request;
}

/* The number of polls of an empty lane before a receive is posted. It is 1 while pending operations
 * need progress, or while the call must not hold the lock for long. */
static unsigned polls_before_post(void) {
  return mpispec_progress_is_pending() ? 1 : mpispec_lane_polls();
}

/* Like mpispec_lane_poll_again. `*polls` is 0 before the first poll. */
static inline __attribute__((always_inline)) int polls_again(unsigned *polls) {
  if (!*polls)
    *polls = polls_before_post();
  return mpispec_lane_poll_again(polls);
}

int mpispec_peek_poll(int peer, struct mpispec_wanted wanted, struct mpispec_reader **found) {
  unsigned polls = 0;
  for (;;) {
    const int seen = mpispec_peek(peer, wanted, found);
    if (seen >= 0 && __builtin_expect((*found)->next >= (*found)->limit, 0))
      mpispec_lane_progress(*found); /* a callback may take the message */
    else if (seen != mpispec_head_empty || !polls_again(&polls))
      return seen;
  }
}

/* Polls an empty lane, and gives the credit that is due. Returns 0 if the lane is still empty, or
 * its limit is null. */
static inline __attribute__((always_inline)) int poll_lane(struct mpispec_reader *reader) {
  unsigned polls = 0;
  if (reader->next < reader->limit)
    mpispec_first_polls(&reader->next->envelope, reader->lap, MPISPEC_KEY_MASK);
  for (;;) {
    if (!reader->limit)
      return 0;
    if (__builtin_expect(reader->next >= reader->limit, 0))
      mpispec_lane_progress(reader);
    if (mpispec_lane_peek((struct mpispec_incoming *)reader) != MPISPEC_NO_KEY)
      return 1;
    if (!polls_again(&polls))
      return 0;
  }
}

int64_t mpispec_recv_await(struct mpispec_reader *reader, uint64_t key, struct mpispec_memory to) {
  if (!poll_lane(reader))
    return MPISPEC_NOT_RECEIVED;
  const int64_t length = mpispec_recv_fast(reader, reader->limit, key, to);
  if (length == MPISPEC_IS_LONGER && !to.map)
    return mpispec_recv_longer(reader, reader->limit, to.buffer, to.bytes, mpispec_state.polls);
  if ((uint64_t)length <= mpispec_cell_payload) /* the answer fits one cell, too */
    mpispec_lane_prefetch_answer(reader);
  return length;
}

/* Nonzero if no message from this peer is in the unexpected queue, and the receives posted for its
 * lane are few and do not fit the key. Then the next message with this key belongs to a receive
 * that would be posted now. */
static int is_past_posted(const struct mpispec_reader *reader, uint64_t key) {
  enum { FEW = 8 };
  int posted = 0;
  for (const struct mpispec_receive *other = reader->first; other; other = other->next)
    if (++posted > FEW || mpispec_fits(other, key))
      return 0;
  return !reader->unexpected;
}

/* Handles a lane for which other receives are posted, for example by blocked threads. Receives the
 * message if it is the next one of this lane, or becomes the next one within some polls. To post
 * this receive as well would take about as long as the message. Stops when the next message is
 * another one, which may be for a posted receive. Returns 0 if nothing was received. */
static int recv_past_posted(const struct mpispec_call *call, struct mpispec_result *result) {
  const struct mpispec_communicator *known = call->communicator;
  if (call->peer < 0 || call->tag < 0 || !(call->contiguous || call->map))
    return 0;
  const uint64_t key = known->route.key | (unsigned)call->tag;
  struct mpispec_reader *reader = known->route.readers[call->peer];
  if (!reader->first || !is_past_posted(reader, key) ||
      mpispec_matching_has_rival(&mpispec_queues, key, 0))
    return 0;
  struct mpispec_incoming *lane = (struct mpispec_incoming *)reader;
  const struct mpispec_memory to = {call->buffer, call->bytes, call->map, call->count};
  unsigned polls = mpispec_progress_is_busy() ? 1 : mpispec_lane_polls();
  mpispec_progress_add_rounds(1); /* parked threads need not poll this lane */
  while (mpispec_lane_peek(lane) == MPISPEC_NO_KEY) {
    if (!mpispec_lane_poll_again(&polls))
      return 0;
    mpispec_progress_add_rounds(1);
  }
  int64_t length = mpispec_recv_fast(reader, reader->end, key, to);
  if (length == MPISPEC_IS_LONGER && !to.map)
    length = mpispec_recv_longer(reader, reader->end, to.buffer, to.bytes, 0);
  if (length < 0)
    return 0;
  mpispec_lane_advance(lane, 0); /* gives the credit that is due */
  if (length <= mpispec_cell_payload)
    mpispec_lane_prefetch_answer(reader);
  *result = (struct mpispec_result){.source = call->peer, .tag = call->tag, .length = length};
  return 1;
}

int mpispec_recv_wait(const struct mpispec_call *call, MPI_Status *status, int *error,
                      int *raised) {
  struct mpispec_result result;
  enum mpispec_tried tried = MPISPEC_BEHIND;
  if (mpispec_call_is_local(call)) {
    tried = mpispec_receive_try(call, call->map ? polls_before_post() : 1, &result);
    if (tried < MPISPEC_AT_HEAD && recv_past_posted(call, &result))
      tried = MPISPEC_RECEIVED;
  }
  *error = MPI_SUCCESS;
  *raised = 0;
  if (tried == MPISPEC_RECEIVED) {
    if (mpispec_lock_per_call)
      mpispec_progress_opportunistic();
    mpispec_status_set(status, result.source, result.tag, result.length, 0);
    return 1;
  }
  struct mpispec_request *request = mpispec_post_recv(call, tried);
  if (!request)
    return 0;
  mpispec_request_wait(request);
  *raised = request->raised;
  *error = mpispec_request_finish(request, status);
  return 1;
}

/* Returns 0 and fills in the status if a message was received, else 1. */
static inline __attribute__((always_inline)) int result_of(int64_t length, int peer, int tag,
                                                           struct mpispec_status *status) {
  if (length >= 0 && status)
    mpispec_status_fill(status, peer, tag, (unsigned)length);
  return length < 0;
}

int mpispec_recv_immediate(void *buffer, long long room, const struct mpispec_route *route,
                           int peer, int tag, struct mpispec_status *status) {
  struct mpispec_reader *reader = route->readers[peer];
  const uint64_t key = route->key | (unsigned)tag;
  if (mpispec_matching_has_rival(&mpispec_queues, key, 0))
    return 1;
  return result_of(mpispec_recv_any_length(reader, reader->limit, key, buffer, room), peer, tag,
                   status);
}

int mpispec_recv_polled(void *buffer, long long room, const struct mpispec_route *route, int peer,
                        int tag, struct mpispec_status *status) {
  struct mpispec_reader *reader = route->readers[peer];
  const uint64_t key = route->key | (unsigned)tag;
  if (mpispec_matching_has_rival(&mpispec_queues, key, 0))
    return 1;
  if (!result_of(mpispec_recv_any_length(reader, reader->limit, key, buffer, room), peer, tag,
                 status))
    return 0;
  return result_of(mpispec_recv_await(reader, key, (struct mpispec_memory){buffer, room, NULL, 0}),
                   peer, tag, status);
}

int mpispec_recv_post(void *buffer, long long room, const struct mpispec_route *route, int peer,
                      int tag, mpispec_handle *handle) {
  struct mpispec_call call;
  mpispec_lock();
  const int done = mpispec_call_on_route(&call, buffer, room, route, peer, tag, mpispec_standard);
  if (done) {
    struct mpispec_request *request = mpispec_post_recv(&call, MPISPEC_UNTRIED);
    *(MPI_Request *)handle = mpispec_request_handle(request);
    if (request->complete)
      mpispec_progress_opportunistic();
  }
  mpispec_unlock();
  return !done;
}
