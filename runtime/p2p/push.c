/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The sending side of long messages: fills slots of the pipe, and pushes pieces. rendezvous.c draws
 * both sides, and pull.c is the receiving one. */
#include "p2p/push.h"

#include "job/node.h"
#include "p2p/block_cache.h"
#include "p2p/room.h"
#include "p2p/traffic.h"
#include "p2p/way.h"
#include "progress/doorbell.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "shm/arena.h"
#include "shm/cma.h"
#include "shm/copy.h"

static int64_t early_bytes; /* bytes in pipes of messages that no receive has matched */

void mpispec_pushes_close(void) { early_bytes = 0; }

int mpispec_goes_by_pipe(const struct mpispec_request *request) {
  const struct mpispec_situation situation = mpispec_send_situation(request);
  return !request->transfer.address || !mpispec_cma_may_read(request->peer) ||
         mpispec_way_of_peer(&situation) == MPISPEC_WAY_PIPE;
}

/* --- copying -----------------------------------------------------------------------------------*/

/* Copies `length` bytes of the message, from offset `begin` on. Packs them if they are not
 * contiguous. */
static void get(struct mpispec_request *request, unsigned char *bytes, int64_t begin,
                int64_t length) {
  struct mpispec_transfer *transfer = &request->transfer;
  if (transfer->address) {
    mpispec_copy_in(bytes, (const char *)(uintptr_t)transfer->address + begin, length);
    return;
  }
  if (transfer->cursor_at != begin)
    mpispec_cursor_seek(&request->cursor, request->call.map, request->call.buffer,
                        request->call.count, begin);
  mpispec_cursor_pack(&request->cursor, bytes, length);
  transfer->cursor_at = begin + length;
}

static int is_open(const struct mpispec_request *request) {
  /* Pair H, acquire. */
  return atomic_load_explicit(&mpispec_send_rts(request)->state, memory_order_acquire) ==
         MPISPEC_OPEN;
}

/* Nonzero if this message may fill the pipe to its receiver. One message at a time does so, until
 * all its pieces are claimed. A matched message replaces one that no receive has matched, because
 * the unmatched one may wait for a long time. */
static int has_turn(struct mpispec_request *request) {
  struct mpispec_request **filling = &mpispec_traffic[request->peer].filling;
  if (!*filling || !mpispec_pieces_left(mpispec_send_rts(*filling)) ||
      (is_open(*filling) && !is_open(request)))
    *filling = request;
  return *filling == request;
}

/* Nonzero if one more slot may be filled. The function reads `emptied`, which the receiver writes,
 * only if all slots are full by the count that it read last. */
static int has_room(struct mpispec_request *request, struct mpispec_rts *rts) {
  struct mpispec_transfer *transfer = &request->transfer;
  if (!mpispec_pieces_left(rts))
    return 0;
  if (transfer->slots - transfer->seen_emptied == MPISPEC_PIPE_SLOTS) /* Pair Q, acquire. */
    transfer->seen_emptied = atomic_load_explicit(&rts->emptied, memory_order_acquire);
  return transfer->slots - transfer->seen_emptied < MPISPEC_PIPE_SLOTS;
}

/* Returns a cached block or one of this rank's arena. Returns no block if there is no memory. */
static struct mpispec_block_ref obtain_block(int64_t bytes, enum mpispec_arena_use use) {
  struct mpispec_block_ref place = mpispec_block_cache_get(bytes);
  if (place.offset)
    return place;
  place.owner = mpispec_node.rank;
  place.offset = mpispec_arena_try_allocate(&mpispec_shm.arena, (uint64_t)bytes, use);
  if (!place.offset)
    mpispec_block_cache_unget(bytes);
  return place;
}

/* Fills a slot in steps. A receiver that has nothing else to do copies the first bytes of the piece
 * while the sender copies the next ones. In an exchange, a piece up to MPISPEC_PIPE_PIECE is one
 * step, because two cores that access one block at once slow each other down. */
static void fill(struct mpispec_request *request, struct mpispec_pipe_slot *slot,
                 unsigned char *bytes, int64_t begin, int64_t length) {
  const int is_whole = request->transfer.both_ways && length <= MPISPEC_PIPE_PIECE;
  const int64_t most = is_whole ? length : MPISPEC_BLOCK_STEP;
  for (int64_t done = 0; done < length;) {
    const int64_t step = length - done < most ? length - done : most;
    get(request, bytes + done, begin + done, step);
    done += step;
    /* Pair P, release. */
    atomic_store_explicit(&slot->filled, (uint32_t)done, memory_order_release);
  }
}

static void fill_slot(struct mpispec_request *request, struct mpispec_rts *rts,
                      struct mpispec_block_ref place, struct mpispec_pieces piece) {
  struct mpispec_transfer *transfer = &request->transfer;
  const int64_t length = mpispec_pieces_bytes(piece, rts->piece, request->call.bytes);
  struct mpispec_pipe_slot *slot = &rts->slot[transfer->slots % MPISPEC_PIPE_SLOTS];
  slot->length = (uint32_t)length;
  slot->piece = piece.front;
  slot->owner = place.owner;
  slot->offset = place.offset;
  atomic_store_explicit(&slot->filled, 0, memory_order_relaxed);
  /* Pair P, release. */
  atomic_store_explicit(&slot->number, ++transfer->slots, memory_order_release);
  mpispec_doorbell_note(request->peer);
  struct mpispec_traffic *traffic = &mpispec_traffic[request->peer];
  const uint64_t began = mpispec_ticks();
  fill(request, slot, mpispec_block_ref_bytes(place), mpispec_pieces_begin(piece, rts->piece),
       length);
  mpispec_traffic_note_moved(length, &mpispec_rendezvous_counts.filled);
  transfer->moved_at = mpispec_traffic_copied(traffic, began, &traffic->sending);
  traffic->filled_at = transfer->moved_at;
}

/* A standard send of so few bytes must not wait for its receive. It comes here if no block was
 * free, and is one slot. */
static int is_short(const struct mpispec_request *request) {
  return request->call.bytes <= MPISPEC_BLOCK_BYTES;
}

/* When a slot last found no memory, in ticks. Thousands of sends may wait for early slots: if one
 * of them finds none, none tries for a while. */
static uint64_t found_none_at;

/* Fills all slots that are free. If this rank also receives, fills one slot at most. */
static void fill_slots(struct mpispec_request *request, struct mpispec_rts *rts,
                       enum mpispec_arena_use use) {
  while ((is_short(request) || mpispec_push_leaves(request) || has_turn(request)) &&
         has_room(request, rts)) {
    const struct mpispec_block_ref place = obtain_block(rts->piece, use);
    if (!place.offset) {
      found_none_at = mpispec_ticks();
      mpispec_room_ask();
      return; /* the next round of progress tries again */
    }
    mpispec_room_found();
    const struct mpispec_pieces piece = mpispec_piece_claim(rts, 0);
    if (!piece.back) {
      mpispec_block_cache_put(place, rts->piece, 0);
      return;
    }
    fill_slot(request, rts, place, piece);
    if (mpispec_is_receiving())
      return;
  }
}

/* Nonzero if the message's slots fit the bytes that all early slots together may have of the
 * memory of pipes. A small arena must keep room for a slot of a message that is received. */
static int fits_early(const struct mpispec_request *request, struct mpispec_rts *rts) {
  const int64_t slots = is_short(request)              ? 1
                        : mpispec_push_leaves(request) ? mpispec_pieces_left(rts)
                                                       : MPISPEC_PIPE_SLOTS;
  const int64_t bytes = rts->piece * slots;
  const int64_t half = mpispec_arena_most_slot(&mpispec_shm.arena) / 2;
  return early_bytes + bytes <= (half < MPISPEC_EARLY_BYTES ? half : MPISPEC_EARLY_BYTES);
}

/* Nonzero if slots may be filled before a receive has matched the message (early slots). A short
 * message that the program waits for must not wait for its receive while there is memory. Of other
 * long messages, at most one to each receiver has early slots, and only if mpispec_goes_by_pipe is
 * nonzero. */
static int may_fill_early(const struct mpispec_request *request, struct mpispec_rts *rts) {
  const uint64_t early = mpispec_traffic[request->peer].early;
  if (request->peer == mpispec_node.rank)
    return 0;
  if (is_short(request) && request->call.blocking)
    return 1;
  if (mpispec_push_leaves(request))
    return fits_early(request, rts);
  if (request->transfer.leaves_at && mpispec_traffic[request->peer].sends > 1)
    return 0; /* FIN of the message before says by which way this one should go */
  return (is_short(request) || !early || early == request->transfer.rts) &&
         fits_early(request, rts) && rts->piece <= MPISPEC_MOST_PIECE &&
         mpispec_goes_by_pipe(request);
}

void mpispec_pieces_fill_early(struct mpispec_request *request, struct mpispec_rts *rts) {
  struct mpispec_transfer *transfer = &request->transfer;
  const uint32_t before = transfer->slots;
  if (!may_fill_early(request, rts) ||
      mpispec_ticks() - found_none_at < mpispec_ticks_in(MPISPEC_PIPE_WAIT))
    return;
  fill_slots(request, rts, fits_early(request, rts) ? MPISPEC_ARENA_PIPE : MPISPEC_ARENA_MESSAGE);
  if (transfer->slots == before)
    return;
  transfer->has_left = mpispec_push_leaves(request);
  if (!is_short(request) && !transfer->has_left)
    mpispec_traffic[request->peer].early = transfer->rts;
  rts->early += transfer->slots - before;
  early_bytes += (int64_t)(transfer->slots - before) * rts->piece;
  transfer->moved_at = 0; /* the receiver cannot be late yet */
}

/* A receive has matched the message: its slots no longer count as early. */
void mpispec_pieces_end_early(struct mpispec_rts *rts, int peer) {
  if (!rts->early)
    return;
  if (rts == mpispec_rts_at(mpispec_node.rank, mpispec_traffic[peer].early))
    mpispec_traffic[peer].early = 0;
  early_bytes -= (int64_t)rts->early * rts->piece;
  rts->early = 0;
}

/* Nonzero if the sender has waited for the receiver too long, so that it pushes. */
static int is_stuck(struct mpispec_transfer *transfer) {
  const uint64_t now = mpispec_ticks();
  if (!transfer->moved_at)
    transfer->moved_at = now;
  return now - transfer->moved_at > mpispec_ticks_in(MPISPEC_PIPE_WAIT);
}

static int may_push(struct mpispec_request *request, struct mpispec_rts *rts,
                    enum mpispec_way way) {
  return rts->target && !request->transfer.gave_up &&
         (way == MPISPEC_WAY_SHARED || (is_stuck(&request->transfer) && has_turn(request))) &&
         mpispec_cma_may_write(request->peer,
                               (int)atomic_load_explicit(&rts->awaited, memory_order_relaxed));
}

/* Writes `length` bytes to the receiver's memory. Packs bytes that are not contiguous in portions
 * that stay in a cache. */
static int push(struct mpispec_request *request, const struct mpispec_rts *rts, int64_t begin,
                int64_t length) {
  static unsigned char packed[MPISPEC_LEAST_PIECE];
  const uint64_t target = rts->target + (uint64_t)begin;
  if (request->transfer.address)
    return mpispec_cma_write((const char *)(uintptr_t)request->transfer.address + begin, length,
                             request->peer, target);
  for (int64_t done = 0; done < length;) {
    const int64_t rest = length - done,
                  step = rest < MPISPEC_LEAST_PIECE ? rest : MPISPEC_LEAST_PIECE;
    get(request, packed, begin + done, step);
    if (!mpispec_cma_write(packed, step, request->peer, target + (uint64_t)done))
      return 0;
    done += step;
  }
  return 1;
}

/* Pushes one piece only, so that the caller can make other progress before the next one. */
static void push_piece(struct mpispec_request *request, struct mpispec_rts *rts) {
  const struct mpispec_pieces piece = mpispec_piece_claim(rts, 1);
  if (!piece.back)
    return;
  const int64_t length = mpispec_pieces_bytes(piece, rts->piece, rts->wanted);
  if (!push(request, rts, mpispec_pieces_begin(piece, rts->piece), length)) {
    request->transfer.gave_up = 1;
    rts->failed = piece;
  }
  /* Pair U, release. */
  atomic_fetch_add_explicit(&rts->pushed, 1, memory_order_release);
  mpispec_doorbell_note(request->peer);
  mpispec_rendezvous_moved += (uint64_t)length;
  mpispec_rendezvous_counts.pushed += (uint64_t)length;
}

void mpispec_pieces_help(struct mpispec_request *request, struct mpispec_rts *rts) {
  const enum mpispec_way way = atomic_load_explicit(&rts->way, memory_order_relaxed);
  if (way == MPISPEC_WAY_PIPE)
    fill_slots(request, rts, MPISPEC_ARENA_PIPE);
  if (may_push(request, rts, way))
    push_piece(request, rts);
}
