/* The sending side: chooses how a message travels and writes its cells. sender.h has the table. */
#include "p2p/sender.h"

#include "datatype/datatype.h"
#include "job/memory.h"
#include "job/node.h"
#include "p2p/block.h"
#include "p2p/completion.h"
#include "p2p/receiver.h"
#include "p2p/rendezvous.h"
#include "p2p/request.h"
#include "progress/doorbell.h"
#include "progress/progress.h"
#include "shm/shm.h"

#include <stdlib.h>
#include <string.h>

/* The receiver looks only at lanes whose writer has shown itself. */
static void show_self(int peer) {
  uint64_t *told = &mpispec_shm.told[peer / 64];
  const uint64_t bit = UINT64_C(1) << peer % 64;
  if (*told & bit)
    return;
  /* Where doorbells are used each message comes here, because the bit is never set. */
  if (mpispec_doorbells_used)
    mpispec_doorbell_note_peer(peer);
  else
    *told |= bit;
  const int rank = mpispec_node.rank;
  atomic_fetch_or_explicit(&mpispec_shm_header(peer)->active_peers[rank / 64],
                           UINT64_C(1) << rank % 64, memory_order_relaxed);
}

int mpispec_send_makes_room(int peer, int cells) {
  show_self(peer);
  return mpispec_lane_reserve(&mpispec_shm.outgoing[peer], cells) != NULL;
}

/* Cells in the lane, waiting for room if lane and arena are full. */
static struct mpispec_outgoing *lane_with(int peer, int cells) {
  struct mpispec_outgoing *lane = &mpispec_shm.outgoing[peer];
  show_self(peer);
  for (unsigned round = 0; !mpispec_lane_reserve(lane, cells); ++round) {
    mpispec_progress();
    mpispec_progress_relax(round);
  }
  return lane;
}

static uint64_t key_of(const struct mpispec_call *call) {
  return mpispec_key(call->communicator->context.id, call->tag);
}
static uint64_t header_of(const struct mpispec_call *call, enum mpispec_kind kind) {
  return mpispec_header(kind, call->communicator->rank, call->bytes);
}

void mpispec_send_pack(const struct mpispec_call *call, void *bytes) {
  struct mpispec_cursor cursor;
  if (call->contiguous) {
    memcpy(bytes, call->buffer, (size_t)call->bytes);
  } else if (call->map) {
    mpispec_cursor_open(&cursor, call->map, call->buffer, call->count);
    mpispec_cursor_pack(&cursor, bytes, call->bytes);
  } else {
    mpispec_datatype_pack(call->buffer, call->count, call->datatype, bytes, call->bytes);
  }
}

/* Straight into the one cell that it takes. */
static void send_mapped_cell(const struct mpispec_call *call, int peer) {
  struct mpispec_outgoing *lane = lane_with(peer, 1);
  lane->end.next->header = header_of(call, MPISPEC_INLINE);
  mpispec_send_pack(call, lane->end.next->payload);
  mpispec_lane_publish(lane, key_of(call));
}

static void send_inline(const struct mpispec_call *call, int peer) {
  unsigned char packed[MPISPEC_INLINE_BYTES];
  const void *bytes = call->buffer;
  if (call->map && call->bytes <= mpispec_cell_payload) {
    send_mapped_cell(call, peer);
    return;
  }
  if (!call->contiguous && call->bytes) {
    mpispec_send_pack(call, packed);
    bytes = packed;
  }
  struct mpispec_outgoing *lane = lane_with(peer, (int)mpispec_cells((uint64_t)call->bytes));
  mpispec_lane_write(lane, key_of(call), header_of(call, MPISPEC_INLINE), bytes, call->bytes);
}

void mpispec_send_words(const struct mpispec_call *call, int peer, enum mpispec_kind kind,
                        const uint64_t words[2]) {
  const int is_long = kind == MPISPEC_RTS;
  const uint64_t payload[3] = {words[0], words[1], (uint64_t)call->bytes};
  struct mpispec_outgoing *lane = lane_with(peer, 1);
  lane->end.next->header =
      mpispec_header(kind, call->communicator->rank, is_long ? 0 : call->bytes);
  memcpy(lane->end.next->payload, payload, sizeof payload);
  mpispec_lane_publish(lane, key_of(call));
}

/* The handshake of a request; waits for the arena if need be. */
static uint64_t make_handshake(struct mpispec_request *request, int is_long) {
  uint64_t handshake;
  for (unsigned round = 0; !(handshake = mpispec_rendezvous_rts(request, is_long)); ++round) {
    mpispec_progress();
    mpispec_progress_relax(round);
  }
  return handshake;
}

static void send_inline_synchronous(struct mpispec_request *request, int peer) {
  const struct mpispec_call *call = &request->call;
  unsigned char packed[MPISPEC_INLINE_BYTES];
  const void *bytes = call->buffer;
  if (!call->contiguous && call->bytes) {
    mpispec_send_pack(call, packed);
    bytes = packed;
  }
  const uint64_t handshake = make_handshake(request, 0);
  struct mpispec_outgoing *lane = lane_with(peer, mpispec_cells_beside(call->bytes));
  lane->end.next->header = header_of(call, MPISPEC_INLINE_SYNCHRONOUS);
  memcpy(lane->end.next->payload, &handshake, sizeof handshake);
  mpispec_lane_publish(lane, key_of(call));
  mpispec_lane_write_more(lane, bytes, call->bytes);
}

/* May the receiver, or a pipe, have the bytes from where they are? A map that its sender attends
 * to goes by a pipe. */
static int needs_no_copy(const struct mpispec_call *call, int peer) {
  return call->mode != mpispec_buffered &&
         (call->contiguous || (call->map && call->blocking && peer != mpispec_node.rank));
}

static void send_long(struct mpispec_request *request, int peer) {
  const struct mpispec_call *call = &request->call;
  const void *bytes = call->buffer;
  if (!needs_no_copy(call, peer)) {
    request->staging = mpispec_must_have(malloc((size_t)call->bytes + 1));
    mpispec_send_pack(call, request->staging);
    bytes = request->staging;
  } else if (call->map) {
    mpispec_cursor_open(&request->cursor, call->map, call->buffer, call->count);
  }
  request->transfer.address =
      request->call.contiguous || request->staging ? (uint64_t)(uintptr_t)bytes : 0;
  const uint64_t handshake = make_handshake(request, 1);
  mpispec_send_words(call, peer, MPISPEC_RTS, (uint64_t[]){handshake, request->transfer.address});
}

/* Must a long message to this rank itself wait for its receive, which then copies it once? A sender
 * that waits for its end would wait for ever. */
static int waits_for_own_receive(const struct mpispec_call *call) {
  return !call->blocking && call->contiguous && call->mode != mpispec_buffered &&
         call->bytes > MPISPEC_BLOCK_BYTES;
}

/* Sends without a request if the bytes can go at once. */
static int send_at_once(const struct mpispec_call *call, int peer) {
  if (peer == mpispec_node.rank) {
    if (mpispec_receive_hand_over(call))
      return 1;
    if (waits_for_own_receive(call))
      return 0;
  }
  if (call->mode == mpispec_synchronous)
    return 0;
  int sent = 1;
  mpispec_typemap_use(call->map); /* while it waits for room, another thread may learn types */
  if (call->bytes > MPISPEC_INLINE_BYTES)
    sent = mpispec_block_send(call, peer);
  else
    send_inline(call, peer);
  mpispec_typemap_drop(call->map);
  return sent;
}

static void send_with_request(struct mpispec_request *request, int peer) {
  request->peer = peer;
  if (request->call.mode == mpispec_synchronous && request->call.bytes <= MPISPEC_INLINE_BYTES)
    send_inline_synchronous(request, peer);
  else
    send_long(request, peer);
}

struct mpispec_request *mpispec_send_start(const struct mpispec_call *call, int peer) {
  if (send_at_once(call, peer))
    return NULL;
  struct mpispec_request *request = mpispec_request_begin(MPISPEC_SEND, call, 0);
  send_with_request(request, peer);
  if (call->mode != mpispec_buffered)
    return request;
  request->released = 1; /* it ends by itself, on its private copy */
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
