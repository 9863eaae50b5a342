/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Packs bytes and writes cells. See send_cells.h. */
#include "p2p/send_cells.h"

#include "datatype/datatype.h"
#include "job/fatal.h"
#include "job/node.h"
#include "p2p/room.h"
#include "progress/doorbell.h"
#include "progress/progress.h"
#include "shm/liveness.h"
#include "shm/shm.h"

#include <string.h>

/* Sets this rank's bit in the peer's active_peers. A rank that polls all its lanes skips those
 * whose bit is not set. */
static void show_self(int peer) {
  uint64_t *announced = &mpispec_shm.announced_to[peer / 64];
  const uint64_t bit = UINT64_C(1) << peer % 64;
  if (*announced & bit)
    return;
  /* With doorbells, the bit in `announced_to` is never set. Therefore each message reaches this
   * line. */
  if (mpispec_doorbells_used)
    mpispec_doorbell_note_peer(peer);
  else
    *announced |= bit;
  const int rank = mpispec_node.rank;
  const uint64_t own = UINT64_C(1) << rank % 64;
  _Atomic uint64_t *active_peers = &mpispec_shm_header(peer)->active_peers[rank / 64];
  if (!(atomic_load_explicit(active_peers, memory_order_relaxed) & own))
    atomic_fetch_or_explicit(active_peers, own, memory_order_relaxed);
}

int mpispec_send_makes_room(int peer, int cells) {
  show_self(peer);
  return mpispec_lane_reserve(&mpispec_shm.outgoing[peer], cells) != NULL;
}

/* Reserves cells in the lane. Waits for room if lane and arena are full. */
static struct mpispec_outgoing *lane_with(int peer, int cells) {
  struct mpispec_outgoing *lane = &mpispec_shm.outgoing[peer];
  struct mpispec_vigil vigil = {0};
  show_self(peer);
  for (unsigned round = 0; !mpispec_lane_reserve(lane, cells); ++round) {
    mpispec_room_wait(round);
    if (mpispec_vigil_is_due_in(&vigil, round) && mpispec_peer_has_ended(peer))
      mpispec_fatal("messages to a rank that has ended fill the memory");
  }
  mpispec_room_found();
  mpispec_doorbell_note(peer); /* the wait has rung for what was noted before */
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
    mpispec_datatype_pack_in_library(call->buffer, call->count, call->datatype, bytes, call->bytes);
  }
}

/* Packs a message straight into the one cell that it takes. */
static void send_mapped_cell(const struct mpispec_call *call, int peer) {
  struct mpispec_outgoing *lane = lane_with(peer, 1);
  lane->end.next->header = header_of(call, MPISPEC_INLINE);
  mpispec_send_pack(call, lane->end.next->payload);
  mpispec_lane_publish(lane, key_of(call));
}

void mpispec_send_inline(const struct mpispec_call *call, int peer) {
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
                        const uint64_t words[3]) {
  const int is_long = mpispec_kind_has_long_length(kind);
  struct mpispec_outgoing *lane = lane_with(peer, 1);
  lane->end.next->header =
      mpispec_header(kind, call->communicator->rank, is_long ? 0 : call->bytes);
  memcpy(lane->end.next->payload, words, 3 * sizeof *words);
  mpispec_lane_publish(lane, key_of(call));
}

void mpispec_send_inline_synchronous(const struct mpispec_call *call, int peer, uint64_t rts) {
  unsigned char packed[MPISPEC_INLINE_BYTES];
  const void *bytes = call->buffer;
  if (!call->contiguous && call->bytes) {
    mpispec_send_pack(call, packed);
    bytes = packed;
  }
  struct mpispec_outgoing *lane = lane_with(peer, mpispec_cells_beside(call->bytes));
  lane->end.next->header = header_of(call, MPISPEC_INLINE_SYNCHRONOUS);
  memcpy(lane->end.next->payload, &rts, sizeof rts);
  mpispec_lane_publish(lane, key_of(call));
  mpispec_lane_write_more(lane, bytes, call->bytes);
}
