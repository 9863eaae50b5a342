/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The RTS descriptor of a long message: the memory that its sender and its receiver share.
 * rendezvous.c draws the protocol.
 *
 * The bytes are divided into pieces, which both ranks copy. A piece belongs to the rank that claims
 * it, until it is counted as done. The receiver counts pulled pieces, and pieces that it empties
 * out of slots. The sender counts pushed pieces. No rank returns a claimed piece, or takes one from
 * its owner.
 *
 *   claims   front: the first piece that no rank has claimed
 *            back:  the first piece behind the unclaimed ones
 *
 * The receiver pulls pieces from the front. The sender fills slots of the pipe with pieces from the
 * front, and pushes pieces from the back. The message is complete when all its pieces were pulled,
 * pushed, or emptied out of slots. If the system refuses to copy a piece, its owner counts this
 * piece, too, and records it. Then the receiver opens the claims again for the recorded pieces
 * alone. */
#ifndef MPISPEC_RUNTIME_RTS_H
#define MPISPEC_RUNTIME_RTS_H

#include "job/node.h"
#include "mpispec/state.h"
#include "p2p/request.h"
#include "p2p/way.h"
#include "progress/doorbell.h"
#include "progress/tuning.h"
#include "shm/shm.h"

#include <assert.h>
#include <stdatomic.h>

enum mpispec_rts_state {
  MPISPEC_OPEN,              /* no receive has been matched */
  MPISPEC_COPYING,           /* the receiver has stored `wanted`, `target` and `claims` */
  MPISPEC_FIN = mpispec_fin, /* every piece is copied */
  MPISPEC_WITHDRAWN          /* by the sender, before there was a receive */
};

/* A slot of the pipe: a block (shm/arena.h) of any rank's arena, with one piece. A slot has a cache
 * line of its own. Therefore the receiver waits for only one line before it copies. */
struct mpispec_pipe_slot {
  _Alignas(64) _Atomic uint32_t number; /* counts the slots that the sender has begun to fill */
  _Atomic uint32_t filled;              /* bytes of the piece that are in the block */
  uint32_t length;                      /* bytes of the whole piece */
  uint32_t piece;
  int owner;
  uint64_t offset;
};

struct mpispec_rts {
  /* Written by the receiver; `state` and `claims` by both. */
  _Alignas(64) _Atomic uint32_t state;
  _Atomic uint32_t way;     /* enum mpispec_way, chosen by the receiver; a hint */
  _Atomic uint32_t awaited; /* mpispec_cma_waits of the receiver */
  uint32_t planned;         /* enum mpispec_way of the next message like this one; valid with FIN */
  uint32_t piece;           /* bytes of each piece except the last; written by the sender */
  int64_t wanted;           /* bytes that the receive takes */
  uint64_t target;          /* their address in the receiver's memory, or 0: not contiguous */
  _Atomic uint64_t claims;  /* struct mpispec_pieces */
  /* Written by the receiver. */
  _Alignas(64) _Atomic uint32_t emptied; /* slots that were emptied for this message */
  /* Written by the sender. */
  _Alignas(64) _Atomic uint32_t pushed; /* pieces counted as done by pushing */
  _Atomic uint32_t attended;    /* a hint: the sender waits inside a call for this message */
  struct mpispec_pieces failed; /* pieces that the sender could not copy */
  /* Read by the sender alone. */
  uint64_t next;     /* next in the list of sends that were complete before FIN, or 0 */
  int64_t bytes;     /* length of the message */
  int peer;          /* node rank of the receiver */
  uint32_t early;    /* slots filled before there was a receive */
  uint8_t both_ways; /* struct mpispec_situation */
  uint8_t may_leave; /* transfer.leaves_at is set */
  /* Written by the sender, and read by the receiver. */
  struct mpispec_pipe_slot slot[MPISPEC_PIPE_SLOTS];
};
static_assert(sizeof(struct mpispec_rts) == 64 * (3 + MPISPEC_PIPE_SLOTS), "lines for each writer");

static inline struct mpispec_rts *mpispec_rts_at(int peer, uint64_t offset) {
  return (struct mpispec_rts *)(mpispec_shm.segments[peer] + offset);
}

/* The RTS descriptor of a long message that this rank receives, and of one that it sends: it lies
 * in the sender's arena. */
static inline struct mpispec_rts *mpispec_receive_rts(const struct mpispec_request *request) {
  return mpispec_rts_at(request->peer, request->transfer.rts);
}
static inline struct mpispec_rts *mpispec_send_rts(const struct mpispec_request *request) {
  return mpispec_rts_at(mpispec_node.rank, request->transfer.rts);
}

/* Both ends of a range in one word. */
static inline uint64_t mpispec_pieces_word(struct mpispec_pieces pieces) {
  return (uint64_t)pieces.back << 32 | pieces.front;
}

/* Claims a piece, from the front or from the back. Returns an empty range if no piece is left. Pair
 * T of rendezvous.c: the receiver opens claims again by a release, and a claim acquires. */
static inline struct mpispec_pieces mpispec_piece_claim(struct mpispec_rts *rts, int from_back) {
  uint64_t word = atomic_load_explicit(&rts->claims, memory_order_acquire);
  for (;;) {
    const struct mpispec_pieces there = {(uint32_t)word, (uint32_t)(word >> 32)};
    if (there.front >= there.back)
      return (struct mpispec_pieces){0, 0};
    const struct mpispec_pieces mine = from_back
                                           ? (struct mpispec_pieces){there.back - 1, there.back}
                                           : (struct mpispec_pieces){there.front, there.front + 1};
    const struct mpispec_pieces rest = from_back
                                           ? (struct mpispec_pieces){there.front, there.back - 1}
                                           : (struct mpispec_pieces){there.front + 1, there.back};
    if (atomic_compare_exchange_weak_explicit(&rts->claims, &word, mpispec_pieces_word(rest),
                                              memory_order_acq_rel, memory_order_acquire))
      return mine;
  }
}

/* Called when the receiver begins. From then on, only the first `wanted` pieces can be claimed.
 * Returns the number of pieces to be copied, including those that the sender has already
 * claimed. */
static inline uint32_t mpispec_pieces_want(struct mpispec_rts *rts, uint32_t wanted) {
  uint64_t word = atomic_load_explicit(&rts->claims, memory_order_acquire);
  for (;;) {
    const uint32_t front = (uint32_t)word, due = wanted > front ? wanted : front;
    const struct mpispec_pieces left = {front, due};
    if (atomic_compare_exchange_weak_explicit(&rts->claims, &word, mpispec_pieces_word(left),
                                              memory_order_acq_rel, memory_order_acquire))
      return due;
  }
}

static inline uint32_t mpispec_pieces_left(struct mpispec_rts *rts) {
  const uint64_t word = atomic_load_explicit(&rts->claims, memory_order_acquire);
  const uint32_t front = (uint32_t)word, back = (uint32_t)(word >> 32);
  return front < back ? back - front : 0;
}

/* The number of pieces in `bytes` bytes; a piece has `piece` bytes. */
static inline uint32_t mpispec_pieces_of(int64_t bytes, int64_t piece) {
  return (uint32_t)((bytes + piece - 1) / piece);
}

/* The offset of a range of pieces in the message, and the number of bytes of the range in a message
 * of `length` bytes. */
static inline int64_t mpispec_pieces_begin(struct mpispec_pieces pieces, int64_t piece) {
  return pieces.front * piece;
}
static inline int64_t mpispec_pieces_bytes(struct mpispec_pieces pieces, int64_t piece,
                                           int64_t length) {
  const int64_t begin = pieces.front * piece, end = pieces.back * piece;
  return end <= length ? end - begin : begin < length ? length - begin : 0;
}

/* Sender: the situation of a message, on which the cost of each way depends. */
static inline struct mpispec_situation
mpispec_send_situation(const struct mpispec_request *request) {
  return (struct mpispec_situation){request->peer, request->call.bytes, request->transfer.both_ways,
                                    0};
}

/* Receiver: writes FIN, because the message was matched and all of it was copied. */
static inline void mpispec_rts_finish(int peer, uint64_t rts) {
  mpispec_doorbell_note(peer);
  /* Pair H, release. */
  atomic_store_explicit(&mpispec_rts_at(peer, rts)->state, MPISPEC_FIN, memory_order_release);
}

#endif
