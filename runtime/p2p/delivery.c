/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See delivery.h. */
#include "p2p/delivery.h"

#include "job/fatal.h"
#include "job/memory.h"
#include "job/node.h"
#include "p2p/block.h"
#include "p2p/library_part.h"
#include "p2p/network.h"
#include "p2p/rendezvous.h"
#include "p2p/rts.h"

#include <stdlib.h>
#include <string.h>

int mpispec_receive_source(uint64_t key, uint64_t header, int peer) {
  /* In MPI_COMM_WORLD, templates omit the source from headers, because the lane determines it. */
  return mpispec_key_context(key) == mpispec_world_context ? mpispec_node.world_ranks[peer]
                                                           : mpispec_header_source(header);
}

int mpispec_found_is_inline(const struct mpispec_found *found) {
  return mpispec_header_kind(found->header) <= MPISPEC_INLINE_SYNCHRONOUS;
}

/* The length is read from shared memory. Buffers of the runtime have no room for more than
 * mpispec_short_bytes, which a correct sender never exceeds. */
static void check_length(const struct mpispec_found *found) {
  if (mpispec_found_is_inline(found) && mpispec_header_length(found->header) > mpispec_short_bytes)
    mpispec_fatal("shared memory is damaged: a message is longer than its cells");
}

struct mpispec_found mpispec_found_at_head(struct mpispec_incoming *lane, int peer, uint64_t key) {
  struct mpispec_found found = {
      .key = key, .header = lane->end.next->header, .peer = peer, .lane = lane};
  memcpy(found.word, lane->end.next->payload, sizeof found.word);
  check_length(&found);
  return found;
}

int mpispec_found_cells(const struct mpispec_found *found) {
  const int64_t length = mpispec_header_length(found->header);
  if (mpispec_header_kind(found->header) == MPISPEC_INLINE)
    return (int)mpispec_cells((uint64_t)length);
  if (mpispec_header_kind(found->header) == MPISPEC_INLINE_SYNCHRONOUS)
    return mpispec_cells_beside(length);
  return 1;
}

static int read_cells(const struct mpispec_found *found, void *bytes, int64_t length) {
  if (mpispec_header_kind(found->header) == MPISPEC_INLINE_SYNCHRONOUS)
    return mpispec_lane_read_more(found->lane, bytes, length);
  return mpispec_lane_read(found->lane, bytes, length);
}

static int copy_inline(const struct mpispec_found *found, struct mpispec_target *target,
                       int64_t length) {
  unsigned char packed[mpispec_short_bytes];
  if (!length)
    return 1; /* the target may be null */
  if (!found->lane) {
    mpispec_target_put(target, found->bytes, length, length);
  } else if (!target->cursor) {
    return read_cells(found, target->bytes, length);
  } else if (mpispec_header_kind(found->header) == MPISPEC_INLINE &&
             length <= mpispec_cell_payload) {
    mpispec_target_put(target, found->lane->end.next->payload, length, length);
  } else {
    if (!read_cells(found, packed, length))
      return 0;
    mpispec_target_put(target, packed, length, length);
  }
  return 1;
}

int mpispec_found_copy(const struct mpispec_found *found, struct mpispec_target *target,
                       int64_t length) {
  if (mpispec_header_has_block(found->header))
    return mpispec_block_receive(target, length, mpispec_header_length(found->header), found->word,
                                 found->peer);
  return copy_inline(found, target, length);
}

/* The offset of the RTS descriptor of a synchronous message in cells or a block. */
static uint64_t rts_of(const struct mpispec_found *found) {
  return found->word[mpispec_header_kind(found->header) == MPISPEC_BLOCK_SYNCHRONOUS ? 2 : 0];
}

static void transfer(struct mpispec_request *request, const struct mpispec_found *found,
                     struct mpispec_target *target, int64_t length) {
  request->complete = 1;
  switch (mpispec_header_kind(found->header)) {
  case MPISPEC_INLINE:
  case MPISPEC_BLOCK:
    if (!mpispec_found_copy(found, target, length))
      request->result.error = MPI_ERR_PROC_ABORTED;
    break;
  case MPISPEC_INLINE_SYNCHRONOUS:
  case MPISPEC_BLOCK_SYNCHRONOUS:
    if (!mpispec_found_copy(found, target, length))
      request->result.error = MPI_ERR_PROC_ABORTED;
    mpispec_rts_finish(found->peer, rts_of(found));
    break;
  case MPISPEC_BY_LIBRARY:
    mpispec_library_part_receive(request, found->peer, found->word[0]);
    break;
  case MPISPEC_RTS:
    mpispec_rendezvous_pull(request, length, found->peer, found->word[0], found->word[1]);
    break;
  }
}

struct mpispec_target mpispec_target_of(const struct mpispec_call *call,
                                        struct mpispec_cursor *cursor) {
  if (!call->map)
    return (struct mpispec_target){call->buffer, NULL};
  mpispec_cursor_open(cursor, call->map, call->buffer, call->count);
  return (struct mpispec_target){NULL, cursor};
}

void mpispec_deliver(struct mpispec_request *request, const struct mpispec_found *found) {
  const int64_t sent = mpispec_message_length(found->header, found->word);
  const int64_t room = request->call.bytes;
  const int64_t length = sent < room ? sent : room;
  request->result.source = mpispec_receive_source(found->key, found->header, found->peer);
  request->result.tag = mpispec_key_tag(found->key);
  request->result.length = length;
  request->result.error = sent > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
  mpispec_network_remove(request);
  struct mpispec_target target = mpispec_target_of(&request->call, &request->cursor);
  const int is_copied = mpispec_header_kind(found->header) != MPISPEC_BY_LIBRARY;
  if (!request->call.contiguous && !target.cursor && length && is_copied)
    target.bytes = request->staging = mpispec_check_allocation(malloc((size_t)length));
  transfer(request, found, &target, length);
}

void mpispec_receive_message(struct mpispec_request *request, struct mpispec_message *message) {
  const struct mpispec_found found = {message->key,
                                      message->header,
                                      {message->word[0], message->word[1], message->word[2]},
                                      message->peer,
                                      NULL,
                                      message->bytes};
  mpispec_deliver(request, &found);
  free(message);
}
