/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Long messages: the sender publishes the place of its bytes, and both ranks copy them.
 *
 *   sender                               receiver
 *   RTS descriptor in its arena, OPEN
 *   RTS, one cell:
 *   descriptor, address           --->   matched with a receive
 *                                 <---   stores `wanted`, `target`, `claims`; COPYING
 *   claims pieces, copies them           claims pieces, copies them
 *   send is over                  <---   FIN, when all pieces are copied
 *
 * There are three methods to copy a piece (rts.h):
 *
 *   pull   the receiver reads it out of the sender's memory (process_vm_readv)
 *   push   the sender writes it into the receiver's (process_vm_writev)
 *   pipe   the sender copies it into a block, the receiver copies it out
 *
 * A pulled or pushed piece is copied once, by one core. A piece in a pipe is copied twice, through
 * caches, by both cores. System calls must first find the pages of the other process, and are slow
 * on some processors. Therefore way.c chooses the way of a message, which determines the methods.
 * The choice is a hint. While one rank makes no progress, because its program is outside MPI calls,
 * the other rank may use another method. Therefore a message is completed even then, as far as the
 * system permits:
 *
 *               sender                       receiver
 *   WAY_OPEN    pushes after a while         in no MPI call
 *   WAY_PIPE    fills slots; pushes if       empties slots; pulls if
 *               they are not emptied         they are not filled
 *   WAY_SHARED  pushes from the back         pulls from the front
 *
 * If the sender expects that the message goes by the pipe (push.h), it fills the pipe before a
 * receive has matched the message.
 *
 * MPI_Irecv, MPI_Isend and MPI_Start begin a long message and copy no pieces. The calls that make
 * progress copy pieces: for the first slots of exchanges, then of the messages that this rank
 * receives, then of those that it sends. Therefore both directions of an exchange run at the same
 * time, in whichever order the program posts them.
 *
 * A sender fills slots for only one message to each receiver at a time. Otherwise the blocks of
 * several messages would displace each other from the caches.
 *
 * Memory order pairs:
 *   H  state     release by the receiver after it has stored `wanted`, `target` and `claims`,
 *                acquire by the sender. Also release (FIN) by the receiver after all pieces are
 *                copied, acquire by the sender, which then completes the send.
 *                A long message to another rank leaves OPEN once: to COPYING by the receiver, or
 *                to WITHDRAWN by the sender
 *   T  claims    opened by the sender before the RTS, changed by compare and exchange of both.
 *                The receiver opens them again by a release; a claim acquires
 *   P  number    release by the sender after the other members of a slot, acquire by the receiver
 *   P  filled    release by the sender after the bytes of a slot, acquire by the receiver
 *   Q  emptied   release by the receiver after reading a slot, acquire by the sender
 *   U  pushed    release by the sender after it has pushed a piece or stored it in `failed`,
 *                acquire by the receiver */
#include "p2p/rendezvous.h"

#include "job/node.h"
#include "p2p/pull.h"
#include "p2p/push.h"
#include "p2p/rts.h"
#include "p2p/way.h"
#include "progress/progress.h"
#include "progress/tuning.h"
#include "shm/arena.h"
#include "shm/cma.h"

#include <stdlib.h>
#include <string.h>

static uint64_t complete_before_fin; /* the first RTS descriptor of a list */

void mpispec_rendezvous_open(void) { mpispec_traffic_open(); }

void mpispec_rendezvous_close(void) {
  mpispec_traffic_close();
  mpispec_pushes_close();
  complete_before_fin = 0;
}

static void release_rts(uint64_t offset, const struct mpispec_situation *situation) {
  const struct mpispec_rts *rts = mpispec_rts_at(mpispec_node.rank, offset);
  if (rts->planned)
    mpispec_way_note_plan(situation, rts->planned);
  --mpispec_traffic[situation->peer].sends;
  mpispec_block_release(mpispec_shm.arena.segment, offset);
}

/* Releases the RTS descriptors of sends that were complete before FIN, if FIN has come. */
static void reclaim(void) {
  for (uint64_t *link = &complete_before_fin, offset; (offset = *link);) {
    struct mpispec_rts *rts = mpispec_rts_at(mpispec_node.rank, offset);
    /* Pair H, acquire. */
    const uint32_t state = atomic_load_explicit(&rts->state, memory_order_acquire);
    if (state != MPISPEC_OPEN)
      mpispec_pieces_end_early(rts, rts->peer);
    if (state != MPISPEC_OPEN && rts->may_leave)
      mpispec_traffic[rts->peer].read_at = mpispec_ticks();
    if (state == MPISPEC_FIN) {
      const struct mpispec_situation situation = {rts->peer, rts->bytes, rts->both_ways, 0};
      *link = rts->next;
      release_rts(offset, &situation);
    } else {
      link = &rts->next;
    }
  }
}

/* --- begin -------------------------------------------------------------------------------------*/

/* Any piece may have to go through the pipe, if a peer's memory cannot be read or written. */
static int64_t most_exchanged_piece(void) {
  const int64_t slot = mpispec_arena_most_slot(&mpispec_shm.arena);
  const int64_t piece = slot / MPISPEC_LEAST_PIECE * MPISPEC_LEAST_PIECE;
  return piece < MPISPEC_MOST_EXCHANGED_PIECE ? piece : MPISPEC_MOST_EXCHANGED_PIECE;
}

/* The size of a piece in bytes. With two pieces, each rank can copy one. A piece is limited, so
 * that a rank is not occupied for too long. In an exchange, a message is one piece if possible,
 * because each rank has a message to copy, and each system call costs time. In pieces of 256 KiB,
 * pulled messages of 256 KiB to 16 MiB took 1.03 to 1.08 times as long (Xeon, family 6 model 207).
 * In an exchange through the pipe, a piece is smaller, so that each rank soon has a slot to copy.
 * Where ranks share processors, the two ranks do not copy at the same time, and more pieces would
 * cost more context switches. */
static int64_t piece_of(int64_t bytes, int is_exchanged, int goes_by_pipe) {
  const int is_one = is_exchanged || mpispec_progress_was_oversubscribed();
  const int64_t part = is_one ? bytes : bytes / 2;
  const int64_t most = !is_one        ? MPISPEC_MOST_PIECE
                       : goes_by_pipe ? MPISPEC_PIPE_PIECE
                                      : most_exchanged_piece();
  const int64_t whole =
      (part + MPISPEC_LEAST_PIECE - 1) / MPISPEC_LEAST_PIECE * MPISPEC_LEAST_PIECE;
  return whole > most ? most : whole;
}

/* Divides a message into pieces, and opens all of them for claims. Until a receive has matched the
 * message, only the sender claims pieces. */
static void divide(struct mpispec_rts *rts, const struct mpispec_request *request) {
  const int64_t bytes = request->call.bytes;
  rts->piece =
      (uint32_t)piece_of(bytes, request->transfer.both_ways, mpispec_goes_by_pipe(request));
  const struct mpispec_pieces all = {0, mpispec_pieces_of(bytes, rts->piece)};
  atomic_store_explicit(&rts->claims, mpispec_pieces_word(all), memory_order_relaxed);
}

uint64_t mpispec_rendezvous_rts(struct mpispec_request *request, int is_long) {
  reclaim();
  const uint64_t offset = mpispec_arena_allocate(&mpispec_shm.arena, sizeof(struct mpispec_rts),
                                                 MPISPEC_ARENA_DESCRIPTOR);
  if (!offset)
    return 0;
  const uint64_t address = request->transfer.address;
  struct mpispec_traffic *traffic = &mpispec_traffic[request->peer];
  traffic->sends_since_receive += traffic->sends_since_receive < MPISPEC_LAST_EXCHANGED;
  request->transfer = (struct mpispec_transfer){
      .rts = offset,
      .address = address,
      .both_ways = traffic->exchanges && traffic->sends_since_receive < MPISPEC_LAST_EXCHANGED};
  struct mpispec_rts *rts = mpispec_send_rts(request);
  memset(rts, 0, sizeof *rts);
  if (is_long) {
    divide(rts, request);
    mpispec_traffic_begin(request->peer, request->call.bytes);
  }
  /* Stored before the RTS is sent, because a waiting receiver reads it at once. */
  const int waits = request->call.blocking && request->call.mode != mpispec_buffered;
  atomic_store_explicit(&rts->attended, (uint32_t)waits, memory_order_relaxed);
  mpispec_request_list_add(&mpispec_pushes, request);
  ++traffic->sends;
  return offset;
}

void mpispec_rendezvous_announce_wait(struct mpispec_request *request) {
  request->call.blocking = 1;
  if (request->complete || !request->transfer.rts)
    return;
  if (request->kind == MPISPEC_SEND)
    atomic_store_explicit(&mpispec_send_rts(request)->attended, 1, memory_order_relaxed);
  else
    atomic_store_explicit(&mpispec_rts_at(request->peer, request->transfer.rts)->awaited,
                          (uint32_t)mpispec_cma_waits(1), memory_order_relaxed);
}

/* --- end ---------------------------------------------------------------------------------------*/

/* Completes the request. Its RTS descriptor remains with the caller. */
static void complete(struct mpispec_request *request) {
  struct mpispec_traffic *traffic = &mpispec_traffic[request->peer];
  mpispec_request_list_remove(&mpispec_pushes, request);
  if (traffic->filling == request)
    traffic->filling = NULL;
  request->transfer.rts = 0;
  free(request->staging);
  request->staging = NULL;
  request->complete = 1;
  if (request->released && !request->persistent)
    mpispec_request_end(request);
}

static void end_send(struct mpispec_request *request) {
  const struct mpispec_situation situation = mpispec_send_situation(request);
  const int is_long = mpispec_send_rts(request)->piece != 0;
  release_rts(request->transfer.rts, &situation);
  if (is_long)
    mpispec_traffic_end(request->peer);
  complete(request);
}

/* Nonzero if the send may be complete before FIN: all pieces are in slots or have been pushed, and
 * the send is not synchronous, or has waited long enough. */
static int is_copied(const struct mpispec_request *request, const struct mpispec_rts *rts) {
  const uint32_t pushed = atomic_load_explicit(&rts->pushed, memory_order_relaxed);
  const int waits = request->call.mode == mpispec_synchronous && !mpispec_push_leaves(request);
  return !waits && !request->transfer.gave_up &&
         request->transfer.slots + pushed == mpispec_pieces_of(request->call.bytes, rts->piece);
}

/* Completes a send whose receiver has not written FIN. The RTS descriptor stays in a list until FIN
 * comes. */
static void complete_early(struct mpispec_request *request, struct mpispec_rts *rts) {
  if (request->transfer.has_left) /* the time of its receiver is no sample */
    atomic_store_explicit(&rts->attended, 0, memory_order_relaxed);
  rts->next = complete_before_fin;
  rts->bytes = request->call.bytes;
  rts->peer = request->peer;
  rts->both_ways = request->transfer.both_ways;
  rts->may_leave = request->transfer.leaves_at != 0;
  complete_before_fin = request->transfer.rts;
  complete(request);
}

int mpispec_rendezvous_withdraw(struct mpispec_request *request) {
  struct mpispec_rts *rts = mpispec_send_rts(request);
  uint32_t state = MPISPEC_OPEN;
  if (!atomic_compare_exchange_strong_explicit(&rts->state, &state, MPISPEC_WITHDRAWN,
                                               memory_order_acq_rel, memory_order_relaxed))
    return 0;
  mpispec_pieces_end_early(rts, request->peer);
  --mpispec_traffic[request->peer].sends;
  complete(request);
  return 1;
}

/* The RTS descriptor of a send stays allocated, because the state in which the peer has left it is
 * unknown. */
void mpispec_rendezvous_abandon(struct mpispec_request *request) {
  if (request->kind != MPISPEC_SEND) {
    mpispec_request_list_remove(&mpispec_pulls, request);
    request->transfer.rts = 0;
    request->complete = 1;
    return;
  }
  mpispec_pieces_end_early(mpispec_send_rts(request), request->peer);
  --mpispec_traffic[request->peer].sends;
  complete(request);
}

int mpispec_rendezvous_pull(struct mpispec_request *request, int64_t wanted, int peer, uint64_t rts,
                            uint64_t address) {
  reclaim(); /* the choice of the way depends on the sends that have no FIN */
  return mpispec_pull_begin(request, wanted, peer, rts, address);
}

static void advance_send(struct mpispec_request *request) {
  struct mpispec_rts *rts = mpispec_send_rts(request);
  /* Pair H, acquire. */
  const uint32_t state = atomic_load_explicit(&rts->state, memory_order_acquire);
  if (state != MPISPEC_OPEN)
    mpispec_pieces_end_early(rts, request->peer);
  if (state == MPISPEC_OPEN)
    mpispec_pieces_fill_early(request, rts);
  else if (state == MPISPEC_COPYING)
    mpispec_pieces_help(request, rts);
  if (state == MPISPEC_FIN)
    end_send(request);
  else if (is_copied(request, rts))
    complete_early(request, rts);
}

/* In an exchange through the pipe, each rank fills its first slot before it empties one of its
 * peer. Otherwise a rank that receives at once leaves the other one without bytes to copy. Most
 * sends end later in the round: the choice of a receive's way depends on the sends under way. */
static int fills_first(const struct mpispec_request *request) {
  if (!request->transfer.both_ways || request->transfer.slots)
    return 0;
  const struct mpispec_rts *rts = mpispec_send_rts(request);
  const uint32_t state = atomic_load_explicit(&rts->state, memory_order_relaxed);
  return state == MPISPEC_OPEN
             ? mpispec_goes_by_pipe(request)
             : state == MPISPEC_COPYING &&
                   atomic_load_explicit(&rts->way, memory_order_relaxed) == MPISPEC_WAY_PIPE;
}

static void advance_sends(int only_first_slots) {
  for (struct mpispec_request *request = mpispec_pushes.first, *next; request; request = next) {
    next = request->next;
    if (!only_first_slots || fills_first(request))
      advance_send(request);
  }
}

void mpispec_rendezvous_progress(void) {
  reclaim();
  advance_sends(1);
  mpispec_pulls_progress();
  advance_sends(0);
}
