/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The receiving side: posts receives, and drains lanes. sender.h has the table of how messages
 * travel, and matching.h has the rules of matching. */
#include "p2p/receiver.h"

#include "comm/communicator.h"
#include "job/memory.h"
#include "job/node.h"
#include "p2p/delivery.h"
#include "p2p/ended_peers.h"
#include "p2p/fast_path.h"
#include "p2p/network.h"
#include "p2p/peek.h"
#include "p2p/queues.h"
#include "p2p/request.h"
#include "p2p/simple_list.h"
#include "p2p/traffic.h"
#include "progress/lane_polls.h"
#include "progress/parking.h"
#include "progress/progress.h"
#include "shm/shm.h"

#include <stdlib.h>
#include <string.h>

/* --- simple receives ---------------------------------------------------------------------------*/

static void expand(struct mpispec_request *request, struct mpispec_communicator *communicator) {
  struct mpispec_receive *receive = &request->receive;
  memset(&request->next, 0, sizeof *request - offsetof(struct mpispec_request, next));
  request->lane = receive->reader;
  receive->reader = NULL;
  receive->use = mpispec_receive_under_way;
  request->kind = MPISPEC_RECEIVE;
  request->active = 1;
  request->call = (struct mpispec_call){.buffer = receive->buffer,
                                        .count = receive->bytes,
                                        .datatype = MPI_BYTE,
                                        .peer = receive->source,
                                        .tag = mpispec_key_tag(receive->key),
                                        .communicator = communicator,
                                        .bytes = receive->bytes,
                                        .contiguous = 1};
  receive->bytes = -1;
  mpispec_communicator_use(communicator);
}

void mpispec_request_expand(struct mpispec_request *request) {
  if (request->receive.reader)
    expand(request, mpispec_communicator_of_context(mpispec_key_context(request->receive.key)));
}

void mpispec_receive_promote_all(struct mpispec_communicator *communicator) {
  for (int peer = 0; peer < mpispec_queues.peers; ++peer)
    for (struct mpispec_receive *r = mpispec_queues.readers[peer]->first; r; r = r->next)
      if (r->reader && mpispec_key_context(r->key) == communicator->context.id)
        expand(mpispec_request_of(r), communicator);
  mpispec_awaited_leaves(communicator);
}

/* Completes a simple receive. Returns 0 if the message is longer than the receive, if it needs more
 * than a copy, or if its sender has ended. In this case only the buffer may have changed. */
static int deliver_simple(struct mpispec_receive *receive, const struct mpispec_found *found) {
  const int64_t length = mpispec_header_length(found->header);
  const enum mpispec_kind kind = mpispec_header_kind(found->header);
  struct mpispec_target target = {receive->buffer, NULL};
  if (length > receive->bytes || (kind != MPISPEC_INLINE && kind != MPISPEC_BLOCK))
    return 0;
  if (!mpispec_found_copy(found, &target, length))
    return 0;
  receive->bytes = (int)length;
  receive->tag = mpispec_key_tag(found->key);
  receive->reader = NULL;
  receive->use = mpispec_receive_complete;
  return 1;
}

/* Delivers a message to a receive that was taken off its list. */
static void deliver_to(struct mpispec_receive *receive, const struct mpispec_found *found) {
  struct mpispec_request *request = mpispec_request_of(receive);
  if (receive->reader && deliver_simple(receive, found))
    return;
  mpispec_request_expand(request);
  request->lane = NULL;
  mpispec_deliver(request, found);
}

int mpispec_lane_progress(struct mpispec_reader *reader) {
  struct mpispec_incoming *lane = (struct mpispec_incoming *)reader;
  const struct mpispec_cell *next = reader->next;
  if (next >= reader->end) {
    mpispec_lane_give_credit(lane);
    mpispec_progress_opportunistic();
    return 1;
  }
  if (mpispec_lane_peek(lane) != MPISPEC_NO_KEY && reader->next == next)
    mpispec_receive_drain((int)(lane - mpispec_shm.incoming), 0);
  return reader->next != next;
}

/* --- lanes -------------------------------------------------------------------------------------*/

static void keep_unexpected(const struct mpispec_found *found) {
  const int64_t length = mpispec_found_is_inline(found) ? mpispec_header_length(found->header) : 0;
  struct mpispec_message *message =
      mpispec_check_allocation(malloc(sizeof *message + (size_t)length));
  message->key = found->key;
  message->header = found->header;
  memcpy(message->word, found->word, sizeof message->word);
  message->peer = found->peer;
  if (mpispec_header_has_block(found->header))
    mpispec_traffic[mpispec_block_owner(message->word)].lends = 1;
  if (length && !mpispec_found_copy(found, &(struct mpispec_target){message->bytes, NULL}, length))
    free(message); /* the sender ended before it had written all of it */
  else
    mpispec_matching_add(&mpispec_queues, message);
}

void mpispec_receive_drain(int peer, int all) {
  struct mpispec_incoming *lane = &mpispec_shm.incoming[peer];
  struct mpispec_matching *matching = &mpispec_queues;
  uint64_t key;
  for (;;) {
    while (lane->end.first && mpispec_receive_next(&lane->end))
      ;
    if (!(all || mpispec_matching_awaits(matching, peer)) ||
        (key = mpispec_lane_peek(lane)) == MPISPEC_NO_KEY)
      break;
    const struct mpispec_found found = mpispec_found_at_head(lane, peer, key);
    struct mpispec_receive *receive = mpispec_matching_take_posted(matching, peer, key);
    if (receive)
      deliver_to(receive, &found);
    else
      keep_unexpected(&found);
    mpispec_lane_advance(lane, mpispec_found_cells(&found));
  }
}

/* This message travels through no lane. Earlier messages of this rank to itself may be in the lane
 * from this rank to itself, and must be matched first. If a receive still waits after this lane is
 * drained, the lane is empty. */
int mpispec_receive_hand_over(const struct mpispec_call *call) {
  struct mpispec_matching *matching = &mpispec_queues;
  const int self = mpispec_node.rank;
  const uint64_t key = mpispec_key(call->communicator->context.id, call->tag);
  if (!call->contiguous || call->bytes >> mpispec_kind_shift ||
      !mpispec_matching_awaits(matching, self))
    return 0;
  mpispec_receive_drain(self, 0);
  if (!mpispec_matching_awaits(matching, self))
    return 0;
  struct mpispec_receive *receive = mpispec_matching_take_posted(matching, self, key);
  if (!receive)
    return 0;
  const struct mpispec_found found = {
      .key = key,
      .header = mpispec_header(MPISPEC_INLINE, call->communicator->rank, call->bytes),
      .peer = self,
      .bytes = call->buffer};
  deliver_to(receive, &found);
  return 1;
}

void mpispec_receive_progress(void) {
  mpispec_progress_add_rounds(1);
  struct mpispec_segment_header *own = mpispec_shm_header(mpispec_node.rank);
  for (int word = 0; word * 64 < mpispec_node.size; ++word) {
    uint64_t active_peers = atomic_load_explicit(&own->active_peers[word], memory_order_relaxed);
    for (; active_peers; active_peers &= active_peers - 1) {
      const int peer = word * 64 + __builtin_ctzll(active_peers);
      if (mpispec_matching_awaits(&mpispec_queues, peer))
        mpispec_receive_drain(peer, 0);
    }
  }
}

/* Reads words that the holder of the lock may change meanwhile, each word once. Therefore
 * ThreadSanitizer is disabled here, and the functions for callers that hold the lock are not
 * called. */
__attribute__((no_sanitize("thread"))) static uintptr_t seems_to_have_head(int peer) {
  const volatile struct mpispec_reader *reader = mpispec_queues.readers[peer];
  const volatile struct mpispec_cell *next = reader->next;
  return (next->envelope ^ reader->lap) >> 56 == 0; /* the laps are the same */
}

__attribute__((no_sanitize("thread"))) static int seems_to_be_awaited(int peer) {
  const volatile struct mpispec_reader *any = &mpispec_queues.any,
                                       *reader = mpispec_queues.readers[peer];
  return any->first || reader->first;
}

static uintptr_t seems_to_have_news(int peer) {
  return seems_to_be_awaited(peer) && seems_to_have_head(peer);
}

/* 0 if no receive is posted for the peer: the head moves while a thread receives by the short path,
 * which says nothing about messages of other peers. */
__attribute__((no_sanitize("thread"))) static uintptr_t place_of_head(int peer) {
  const volatile struct mpispec_reader *reader = mpispec_queues.readers[peer];
  return seems_to_be_awaited(peer) ? (uintptr_t)reader->next : 0;
}

static uintptr_t sum_over_active_peers(uintptr_t (*value)(int peer)) {
  struct mpispec_segment_header *own = mpispec_shm_header(mpispec_node.rank);
  uintptr_t sum = 0;
  for (int word = 0; word * 64 < mpispec_node.size; ++word) {
    uint64_t active_peers = atomic_load_explicit(&own->active_peers[word], memory_order_relaxed);
    for (; active_peers; active_peers &= active_peers - 1)
      sum += value(word * 64 + __builtin_ctzll(active_peers));
  }
  return sum;
}

int mpispec_receive_has_news(uintptr_t *heads) {
  *heads = sum_over_active_peers(place_of_head);
  return sum_over_active_peers(seems_to_have_news) != 0;
}

int mpispec_receive_has_head(int peer) {
  return peer == MPISPEC_ANY_PEER ? sum_over_active_peers(seems_to_have_head) != 0
                                  : seems_to_have_head(peer) != 0;
}

/* --- receives ----------------------------------------------------------------------------------*/

/* Polls at most `polls` times until a message that matches the call is next in a lane. `*peer`
 * becomes the node rank of its sender. */
static enum mpispec_tried await_head(const struct mpispec_call *call, unsigned polls,
                                     struct mpispec_reader **reader, int *peer) {
  const int from = mpispec_receive_peer(call->communicator, call->peer);
  const struct mpispec_wanted wanted = mpispec_wanted_on(call->communicator->route.key, call->tag);
  if (from == MPISPEC_ANY_PEER && call->communicator->spans_nodes)
    return MPISPEC_BEHIND;
  for (;;) {
    *peer = mpispec_peek(from, wanted, reader);
    if (*peer == mpispec_head_unsure && from != MPISPEC_ANY_PEER) {
      mpispec_lane_peek((struct mpispec_incoming *)*reader); /* follows a link */
      *peer = mpispec_peek(from, wanted, reader);
    }
    if (*peer == mpispec_head_unsure)
      return MPISPEC_BEHIND;
    if ((*peer >= 0 || from != MPISPEC_ANY_PEER) && (*reader)->next >= (*reader)->limit &&
        mpispec_lane_progress(*reader)) /* gives the credit that is due */
      continue;                         /* a callback may have taken the message */
    if (*peer >= 0)
      return MPISPEC_AT_HEAD;
    if (!mpispec_lane_poll_again(&polls))
      return MPISPEC_EMPTY;
  }
}

/* Receives a message that the fast path does not take. Either the receive has a typemap, or the
 * sender still fills the cells or the block. A synchronous message takes the slow path. */
static int64_t receive_copy(const struct mpispec_call *call, struct mpispec_incoming *lane,
                            int peer, uint64_t key) {
  const struct mpispec_found found = mpispec_found_at_head(lane, peer, key);
  const enum mpispec_kind kind = mpispec_header_kind(found.header);
  const int64_t length = mpispec_header_length(found.header);
  struct mpispec_cursor cursor;
  if ((kind != MPISPEC_INLINE && kind != MPISPEC_BLOCK) || length > call->bytes)
    return MPISPEC_NOT_RECEIVED;
  struct mpispec_target target = mpispec_target_of(call, &cursor);
  if (!mpispec_found_copy(&found, &target, length))
    return MPISPEC_NOT_RECEIVED;
  mpispec_lane_advance(lane, mpispec_found_cells(&found));
  return length;
}

enum mpispec_tried mpispec_receive_try(const struct mpispec_call *call, unsigned polls,
                                       struct mpispec_result *result) {
  struct mpispec_reader *reader;
  int peer;
  if (!call->contiguous && !call->map)
    return MPISPEC_UNTRIED;
  const enum mpispec_tried tried = await_head(call, polls, &reader, &peer);
  if (tried != MPISPEC_AT_HEAD)
    return tried;
  const struct mpispec_cell *cell = reader->next;
  const uint64_t key = mpispec_cell_peek(cell) ^ reader->lap;
  *result = (struct mpispec_result){.source = mpispec_receive_source(key, cell->header, peer),
                                    .tag = mpispec_key_tag(key)};
  result->length =
      mpispec_recv_fast(reader, reader->limit, key,
                        (struct mpispec_memory){call->buffer, call->bytes, call->map, call->count});
  if (result->length == MPISPEC_IS_LONGER && call->contiguous)
    result->length =
        mpispec_recv_longer(reader, reader->limit, call->buffer, call->bytes, mpispec_state.polls);
  if (result->length < 0)
    result->length = receive_copy(call, (struct mpispec_incoming *)reader, peer, key);
  return result->length < 0 ? MPISPEC_AT_HEAD : MPISPEC_RECEIVED;
}

/* Receives the message if it is next in its lane. Otherwise returns 0. */
static int receive_at_once(struct mpispec_request *request) {
  struct mpispec_reader *reader;
  int peer;
  if (await_head(&request->call, 1, &reader, &peer) != MPISPEC_AT_HEAD)
    return 0;
  struct mpispec_incoming *lane = (struct mpispec_incoming *)reader;
  const struct mpispec_found found =
      mpispec_found_at_head(lane, peer, mpispec_cell_peek(reader->next) ^ reader->lap);
  mpispec_deliver(request, &found);
  mpispec_lane_advance(lane, mpispec_found_cells(&found));
  return 1;
}

/* Returns nonzero if the network had a message for the receive. */
static int is_begun_by_network(struct mpispec_request *request) {
  mpispec_network_list(request);
  mpispec_network_progress();
  const int is_begun = !request->listed;
  mpispec_network_remove(request);
  return is_begun;
}

void mpispec_receive_start(struct mpispec_request *request, enum mpispec_tried tried) {
  const struct mpispec_call *call = &request->call;
  const struct mpispec_receive pattern = mpispec_receive_pattern(call->communicator, call->tag);
  const int peer = mpispec_receive_peer(call->communicator, call->peer);
  request->receive.key = pattern.key;
  request->receive.wild = pattern.wild;
  if ((tried == MPISPEC_UNTRIED || tried == MPISPEC_AT_HEAD) && receive_at_once(request))
    return;
  if (mpispec_network_is_first(call) && is_begun_by_network(request))
    return;
  struct mpispec_message *message = mpispec_matching_take(&mpispec_queues, peer, &request->receive);
  if (message) {
    mpispec_receive_message(request, message);
    return;
  }
  request->lane = mpispec_matching_reader(&mpispec_queues, peer);
  mpispec_matching_post(&mpispec_queues, request->lane, &request->receive);
  if (call->peer == MPI_ANY_SOURCE && call->communicator->spans_nodes)
    mpispec_network_list(request);
}
