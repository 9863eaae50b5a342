/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The receiving side of long messages: limits the claims of a message to the bytes that the receive
 * takes, copies pieces, and ends the message. rendezvous.c draws both sides. */
#include "p2p/pull.h"

#include "job/node.h"
#include "mpispec/machine.h"
#include "p2p/block_cache.h"
#include "p2p/rts.h"
#include "p2p/traffic.h"
#include "p2p/way_sample.h"
#include "progress/lock.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "shm/cma.h"
#include "shm/copy.h"

/* --- begin -------------------------------------------------------------------------------------*/

/* The contiguous memory for the message, or null. */
static unsigned char *target_of(const struct mpispec_request *request) {
  return request->call.contiguous ? request->call.buffer : request->staging;
}

static int may_pull(const struct mpispec_request *request) {
  return request->transfer.address && !request->transfer.gave_up &&
         mpispec_cma_may_read(request->peer);
}

static void publish_way(struct mpispec_request *request, enum mpispec_way way) {
  request->transfer.way = (uint8_t)way;
  mpispec_doorbell_note(request->peer);
  atomic_store_explicit(&mpispec_receive_rts(request)->way, (uint32_t)way, memory_order_relaxed);
}

/* A receive with a typemap always chooses the pipe. If the receiver pulled the bytes, its core
 * would have to copy them twice. */
static int may_choose(const struct mpispec_request *request) {
  return may_pull(request) && target_of(request) && request->transfer.wanted;
}

/* Called before the request joins the list. Any other request there, unless it is the only one, has
 * been marked before. */
static void note_company(struct mpispec_request *request) {
  request->transfer.in_company = mpispec_pulls.first != NULL;
  if (mpispec_pulls.first)
    mpispec_pulls.first->transfer.in_company = 1;
}

static void choose_way(struct mpispec_request *request) {
  struct mpispec_transfer *transfer = &request->transfer;
  mpispec_traffic_begin_receive(request->peer, transfer->wanted);
  transfer->both_ways = mpispec_traffic[request->peer].exchanges;
  const struct mpispec_situation situation = mpispec_situation_of(request);
  publish_way(request, may_choose(request) ? mpispec_way_choose(&situation) : MPISPEC_WAY_PIPE);
  transfer->passes_caches = transfer->way == MPISPEC_WAY_PIPE && !request->call.map &&
                            mpispec_copy_passes_caches(target_of(request), transfer->wanted);
  const uint32_t pushed =
      atomic_load_explicit(&mpispec_receive_rts(request)->pushed, memory_order_relaxed);
  transfer->mixed |= !request->call.blocking || pushed; /* while this rank was away */
  transfer->began_at = transfer->moved_at = mpispec_ticks();
  mpispec_traffic[request->peer].awaited_since = request->call.blocking ? transfer->began_at : 0;
}

static int begin(struct mpispec_request *request) {
  struct mpispec_transfer *transfer = &request->transfer;
  struct mpispec_rts *rts = mpispec_receive_rts(request);
  transfer->piece = rts->piece;
  note_company(request);
  rts->wanted = transfer->wanted;
  rts->target = (uint64_t)(uintptr_t)target_of(request);
  atomic_store_explicit(&rts->awaited, (uint32_t)mpispec_cma_waits(request->call.blocking),
                        memory_order_relaxed);
  transfer->due = mpispec_pieces_want(rts, mpispec_pieces_of(transfer->wanted, transfer->piece));
  if (request->call.blocking)
    choose_way(request);
  mpispec_doorbell_note(request->peer);
  /* Pair H, release. */
  uint32_t state = MPISPEC_OPEN;
  return atomic_compare_exchange_strong_explicit(&rts->state, &state, MPISPEC_COPYING,
                                                 memory_order_acq_rel, memory_order_relaxed);
}

/* Pair T, release. */
static void claim_again(struct mpispec_request *request, struct mpispec_pieces pieces) {
  mpispec_doorbell_note(request->peer);
  request->transfer.due += pieces.back - pieces.front;
  atomic_store_explicit(&mpispec_receive_rts(request)->claims, mpispec_pieces_word(pieces),
                        memory_order_release);
}

/* --- copying -----------------------------------------------------------------------------------*/

/* Stores bytes of the message, from offset `begin` on, in the receive buffer. */
static void put(struct mpispec_request *request, const void *bytes, int64_t begin, int64_t length) {
  struct mpispec_transfer *transfer = &request->transfer;
  if (!request->call.map) {
    mpispec_copy_out(target_of(request) + begin, bytes, length, transfer->wanted,
                     transfer->passes_caches);
    return;
  }
  if (transfer->cursor_at != begin)
    mpispec_cursor_seek(&request->cursor, request->call.map, request->call.buffer,
                        request->call.count, begin);
  mpispec_cursor_unpack(&request->cursor, bytes, length);
  transfer->cursor_at = begin + length;
}

/* Adds the time of a copy of `length` bytes that began at `began`. */
static void note_time(struct mpispec_request *request, int64_t length, uint64_t began) {
  struct mpispec_traffic *traffic = &mpispec_traffic[request->peer];
  request->transfer.moved_at = mpispec_traffic_copied(traffic, began, &traffic->receiving);
  traffic->received += (uint64_t)length;
}

/* The slot for the next bytes of the message. */
static struct mpispec_pipe_slot *slot_of(const struct mpispec_request *request) {
  return &mpispec_receive_rts(request)->slot[request->transfer.slots % MPISPEC_PIPE_SLOTS];
}

/* The number of bytes in the slot that are still to be copied. Pair P, acquire. */
static int64_t bytes_in(const struct mpispec_request *request, struct mpispec_pipe_slot *slot) {
  if (atomic_load_explicit(&slot->number, memory_order_acquire) != request->transfer.slots + 1)
    return 0;
  return atomic_load_explicit(&slot->filled, memory_order_acquire) - request->transfer.slot_done;
}

static void release_slot(struct mpispec_request *request, const struct mpispec_pipe_slot *slot) {
  struct mpispec_transfer *transfer = &request->transfer;
  mpispec_block_cache_put((struct mpispec_block_ref){slot->owner, slot->offset}, transfer->piece,
                          transfer->slot_done);
  mpispec_traffic_note_moved(transfer->slot_done, &mpispec_rendezvous_counts.emptied);
  transfer->slot_done = 0;
  /* Pair Q, release. */
  atomic_store_explicit(&mpispec_receive_rts(request)->emptied, ++transfer->slots,
                        memory_order_release);
  mpispec_doorbell_note(request->peer);
  ++transfer->done;
}

/* Copies `length` bytes of the slot. If the receive is shorter than the message, copies fewer or
 * none. */
static void empty(struct mpispec_request *request, const struct mpispec_pipe_slot *slot,
                  int64_t length) {
  struct mpispec_transfer *transfer = &request->transfer;
  const struct mpispec_pieces piece = {slot->piece, slot->piece + 1};
  const int64_t begin = mpispec_pieces_begin(piece, transfer->piece) + transfer->slot_done;
  const int64_t rest = transfer->wanted - begin;
  const unsigned char *bytes =
      mpispec_block_ref_bytes((struct mpispec_block_ref){slot->owner, slot->offset}) +
      transfer->slot_done;
  const uint64_t began = mpispec_ticks();
  if (rest > 0)
    put(request, bytes, begin, length < rest ? length : rest);
  note_time(request, length, began);
  transfer->slot_done += (uint32_t)length;
  if (transfer->slot_done == slot->length)
    release_slot(request, slot);
}

/* Nonzero if this rank has nothing to do but to wait for the next bytes. */
static int waits_for_slot(const struct mpispec_request *request) {
  const struct mpispec_transfer *transfer = &request->transfer;
  return request->call.blocking && transfer->way == MPISPEC_WAY_PIPE &&
         transfer->done != transfer->due && request == mpispec_pulls.first && !mpispec_is_sending();
}

/* Polls for bytes in the slot, and meanwhile prefetches the lines of their destination. */
static int64_t await_bytes(const struct mpispec_request *request, struct mpispec_pipe_slot *slot) {
  enum { LINE = 64 };
  const struct mpispec_transfer *transfer = &request->transfer;
  const int fetches = !request->call.map && !transfer->passes_caches;
  int64_t length = 0, next = (int64_t)transfer->done * transfer->piece + transfer->slot_done;
  for (int polls = MPISPEC_SLOT_POLLS; polls && !(length = bytes_in(request, slot)); --polls) {
    for (int i = 0; i < MPISPEC_LINES_AHEAD && fetches && next < transfer->wanted; ++i) {
      __builtin_prefetch(target_of(request) + next, 1);
      next += LINE;
    }
    mpispec_pause();
  }
  return length;
}

/* Copies the bytes that are in the pipe. If this rank also sends, or if another thread waits for
 * the lock, copies one slot at most. */
static void empty_slots(struct mpispec_request *request) {
  do {
    struct mpispec_pipe_slot *slot = slot_of(request);
    int64_t length = bytes_in(request, slot);
    if (!length && waits_for_slot(request))
      length = await_bytes(request, slot);
    if (!length)
      return;
    empty(request, slot, length);
  } while (!mpispec_is_sending() && !mpispec_lock_is_wanted());
}

/* Nonzero if the receiver has been idle too long because of the sender, so that it pulls. It does
 * not pull while the sender fills the next slot, or if another message precedes this one in the
 * pipe. */
static int is_stuck(const struct mpispec_request *request, int is_first) {
  const uint64_t filled_at = mpispec_traffic[request->peer].filled_at,
                 moved_at = request->transfer.moved_at,
                 idle_since = filled_at > moved_at ? filled_at : moved_at;
  if (mpispec_ticks() - idle_since < mpispec_ticks_in(MPISPEC_PIPE_WAIT))
    return 0;
  const uint32_t begun = atomic_load_explicit(&slot_of(request)->number, memory_order_relaxed);
  return is_first && begun != request->transfer.slots + 1;
}

/* Reads `length` bytes from the sender's memory. If the receive has a typemap, reads portions that
 * stay in a cache, and unpacks each of them. */
static int pull(struct mpispec_request *request, int64_t begin, int64_t length) {
  static unsigned char packed[MPISPEC_LEAST_PIECE];
  const uint64_t address = request->transfer.address + (uint64_t)begin;
  if (!request->call.map)
    return mpispec_cma_read(target_of(request) + begin, length, request->peer, address);
  for (int64_t done = 0; done < length;) {
    const int64_t rest = length - done,
                  step = rest < MPISPEC_LEAST_PIECE ? rest : MPISPEC_LEAST_PIECE;
    if (!mpispec_cma_read(packed, step, request->peer, address + (uint64_t)done))
      return 0;
    put(request, packed, begin + done, step);
    done += step;
  }
  return 1;
}

/* Pulls one piece. Returns 0 if no piece was left, or if the system has refused. */
static int pull_piece(struct mpispec_request *request, struct mpispec_rts *rts) {
  struct mpispec_transfer *transfer = &request->transfer;
  const struct mpispec_pieces piece = mpispec_piece_claim(rts, 0);
  if (!piece.back)
    return 0;
  const int64_t length = mpispec_pieces_bytes(piece, transfer->piece, transfer->wanted);
  const uint64_t began = mpispec_ticks();
  const int done = pull(request, mpispec_pieces_begin(piece, transfer->piece), length);
  ++transfer->done;
  note_time(request, length, began);
  mpispec_traffic_note_moved(length, &mpispec_rendezvous_counts.pulled);
  if (done)
    return 1;
  transfer->again[0] = piece;
  transfer->gave_up = 1;
  publish_way(request, MPISPEC_WAY_PIPE);
  return 0;
}

/* --- end ---------------------------------------------------------------------------------------*/

static void end(struct mpispec_request *request) {
  mpispec_request_list_remove(&mpispec_pulls, request);
  mpispec_traffic_end(request->peer);
  mpispec_receive_rts(request)->planned = mpispec_way_learn(request, may_choose(request));
  mpispec_rts_finish(request->peer, request->transfer.rts);
  request->transfer.rts = 0;
  request->complete = 1;
}

/* Returns a piece that could not be copied, or an empty range. There is at most one for each rank,
 * because a rank makes no second attempt after the system has refused a copy. */
static struct mpispec_pieces take_failed(struct mpispec_request *request,
                                         const struct mpispec_rts *rts) {
  struct mpispec_pieces *again = request->transfer.again;
  if (!request->transfer.saw_failed && rts->failed.back) {
    request->transfer.saw_failed = 1;
    again[1] = rts->failed;
  }
  struct mpispec_pieces *one = again[0].back ? &again[0] : &again[1], failed = *one;
  *one = (struct mpispec_pieces){0, 0};
  return failed;
}

/* Called when all claimed pieces are counted. Ends the message, or opens claims for a piece that
 * could not be copied. */
static void settle(struct mpispec_request *request, const struct mpispec_rts *rts) {
  const struct mpispec_pieces failed = take_failed(request, rts);
  if (!failed.back) {
    end(request);
    return;
  }
  request->transfer.mixed = 1;
  claim_again(request, failed);
}

/* Pulls pieces. The receiver also pulls parts of a message whose way is the pipe if its sender does
 * not fill the pipe. If the sender waits in a call, the time still counts as a cost of the pipe.
 * Otherwise the message is no sample. A rank that also sends pulls only one piece before it fills
 * slots again. Otherwise its peer would have to pull as many, and so on. The next piece needs no
 * new wait. */
static void pull_pieces(struct mpispec_request *request, struct mpispec_rts *rts, int is_first) {
  struct mpispec_transfer *transfer = &request->transfer;
  const int by_pipe = transfer->way == MPISPEC_WAY_PIPE;
  const uint64_t moved_at = transfer->moved_at;
  if (!may_pull(request) || (by_pipe && !is_stuck(request, is_first)))
    return;
  transfer->mixed |= by_pipe && !atomic_load_explicit(&rts->attended, memory_order_relaxed);
  while (pull_piece(request, rts) && !(by_pipe && mpispec_is_sending()) &&
         !mpispec_lock_is_wanted())
    ;
  transfer->moved_at = moved_at;
}

static void advance_receive(struct mpispec_request *request, uint32_t round) {
  struct mpispec_transfer *transfer = &request->transfer;
  struct mpispec_rts *rts = mpispec_receive_rts(request);
  uint32_t *last_round = &mpispec_traffic[request->peer].last_polled_round;
  const int is_first = *last_round != round;
  if (transfer->way == MPISPEC_WAY_OPEN)
    choose_way(request);
  if (transfer->way == MPISPEC_WAY_SHARED && !may_pull(request))
    publish_way(request, MPISPEC_WAY_PIPE); /* the system has refused an earlier pull */
  if (transfer->way == MPISPEC_WAY_PIPE)
    *last_round = round;
  empty_slots(request);
  pull_pieces(request, rts, is_first);
  /* Pair U, acquire. */
  const uint32_t pushed = atomic_load_explicit(&rts->pushed, memory_order_acquire);
  transfer->mixed |= transfer->way == MPISPEC_WAY_PIPE && pushed;
  if (transfer->done + pushed == transfer->due)
    settle(request, rts);
}

void mpispec_pulls_progress(void) {
  static uint32_t round;
  ++round;
  for (struct mpispec_request *request = mpispec_pulls.first, *next; request; request = next) {
    next = request->next;
    advance_receive(request, round);
  }
}

int mpispec_pull_begin(struct mpispec_request *request, int64_t wanted, int peer, uint64_t rts,
                       uint64_t address) {
  if (peer == mpispec_node.rank) {
    request->transfer.cursor_at = 0;
    if (wanted)
      put(request, (const void *)(uintptr_t)address, 0, wanted);
    request->complete = 1;
    mpispec_rts_finish(peer, rts);
    return 1;
  }
  request->complete = 0;
  request->peer = peer;
  request->transfer = (struct mpispec_transfer){.rts = rts, .address = address, .wanted = wanted};
  if (!begin(request))
    return 0;
  mpispec_request_list_add(&mpispec_pulls, request);
  return 1;
}
