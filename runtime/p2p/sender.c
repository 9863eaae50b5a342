/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The sending side: chooses how a message travels. sender.h has the table. */
#include "p2p/sender.h"

#include "job/memory.h"
#include "job/node.h"
#include "p2p/block.h"
#include "p2p/library_part.h"
#include "p2p/receiver.h"
#include "p2p/rendezvous.h"
#include "p2p/request.h"
#include "p2p/room.h"
#include "p2p/send_cells.h"
#include "progress/progress.h"

#include <stdlib.h>

/* Makes the RTS descriptor of a request. Waits while the arena is full. */
static uint64_t make_rts(struct mpispec_request *request, int is_long) {
  uint64_t rts;
  for (unsigned round = 0; !(rts = mpispec_rendezvous_rts(request, is_long)); ++round)
    mpispec_room_wait(round);
  mpispec_room_found();
  return rts;
}

/* Nonzero if the bytes are copied out of the send buffer, without a packed copy of the message. In
 * a blocking send to another rank, the elements of a typemap need no packed copy. The sender packs
 * them piece by piece. */
static int needs_no_copy(const struct mpispec_call *call, int peer) {
  return call->mode != mpispec_buffered &&
         (call->contiguous || (call->map && call->blocking && peer != mpispec_node.rank));
}

static void send_long(struct mpispec_request *request, int peer) {
  const struct mpispec_call *call = &request->call;
  const void *bytes = call->buffer;
  if (!needs_no_copy(call, peer)) {
    request->staging = mpispec_check_allocation(malloc((size_t)call->bytes + 1));
    mpispec_send_pack(call, request->staging);
    bytes = request->staging;
  } else if (call->map) {
    mpispec_cursor_open(&request->cursor, call->map, call->buffer, call->count);
  }
  request->transfer.address =
      request->call.contiguous || request->staging ? (uint64_t)(uintptr_t)bytes : 0;
  const uint64_t rts = make_rts(request, 1);
  mpispec_send_words(call, peer, MPISPEC_RTS,
                     (uint64_t[]){rts, request->transfer.address, (uint64_t)request->call.bytes});
}

static int send_in_block(const struct mpispec_call *call, int peer) {
  uint64_t words[3];
  const int is_prepared = mpispec_block_prepare(call, peer, words);
  if (is_prepared)
    mpispec_block_send(call, peer, words, 0);
  return is_prepared;
}

/* Sends a synchronous message that fits cells or a block. The receiver uses the RTS descriptor only
 * for FIN. */
static int send_short_synchronous(struct mpispec_request *request, int peer) {
  uint64_t words[3];
  if (request->call.mode != mpispec_synchronous)
    return 0;
  if (request->call.bytes <= MPISPEC_INLINE_BYTES)
    mpispec_send_inline_synchronous(&request->call, peer, make_rts(request, 0));
  else if (mpispec_block_prepare(&request->call, peer, words))
    mpispec_block_send(&request->call, peer, words, make_rts(request, 0));
  else
    return 0;
  return 1;
}

/* Sends without a request if the send can complete at once. Otherwise returns 0. */
static int send_at_once(const struct mpispec_call *call, int peer) {
  if (mpispec_call_has_library_part(call))
    return 0;
  if (peer == mpispec_node.rank && mpispec_receive_hand_over(call))
    return 1;
  if (call->mode == mpispec_synchronous)
    return 0;
  int sent = 1;
  mpispec_typemap_use(call->map); /* keeps the map: while this thread waits for room, another one
                                     may replace it in the table of types */
  if (call->bytes > MPISPEC_INLINE_BYTES)
    sent = send_in_block(call, peer);
  else
    mpispec_send_inline(call, peer);
  mpispec_typemap_drop(call->map);
  return sent;
}

static void send_with_request(struct mpispec_request *request, int peer) {
  request->peer = peer;
  if (mpispec_call_has_library_part(&request->call))
    mpispec_library_part_send(request, peer);
  else if (!send_short_synchronous(request, peer))
    send_long(request, peer);
}

struct mpispec_request *mpispec_send_start(const struct mpispec_call *call, int peer) {
  if (send_at_once(call, peer))
    return NULL;
  struct mpispec_request *request = mpispec_request_begin(MPISPEC_SEND, call, 0);
  send_with_request(request, peer);
  if (call->mode != mpispec_buffered)
    return request;
  if (request->complete) /* its message waited for room in the lane, and was copied meanwhile */
    mpispec_request_end(request);
  else
    request->released = 1; /* rendezvous.c ends it; its bytes are in `staging` */
  return NULL;
}

void mpispec_send_restart(struct mpispec_request *request, int peer) {
  if (send_at_once(&request->call, peer)) {
    request->complete = 1;
    return;
  }
  if (request->call.mode == mpispec_buffered) {
    mpispec_send_start(&request->call, peer);
    request->complete = 1;
    return;
  }
  send_with_request(request, peer);
}
