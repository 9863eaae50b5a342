/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* heads.h - the next messages of all lanes, for receives with wildcards and for probes
 *
 *   head_peek   [nothing of the peer is queued, the next message of its lane matches] -> 0
 *   heads_peek  [no message is queued, no receive from any source waits, the next message of a lane
 *               matches] -> the lane's peer
 *
 * Peeks remove no message. If no message matches, the result is either that no message has arrived,
 * or that only the runtime can decide. */
#ifndef MPISPEC_HEADS_H
#define MPISPEC_HEADS_H

#include "message.h"

/* Results of a peek that has found no match. */
enum { mpispec_head_empty = -1, mpispec_head_unsure = -2 };

/* The envelope to be matched, and the bits of it that may differ. */
struct mpispec_wanted {
  unsigned long long key, wild;
};

static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) struct mpispec_wanted
    mpispec_wanted_on(unsigned long long key, int tag) {
  struct mpispec_wanted wanted;
  wanted.key = key | (unsigned int)tag;
  wanted.wild = tag < 0 ? 0xffffffffu : 0;
  return wanted;
}

/* The purpose of a peek. A message that will be taken must stand before the limit. */
enum mpispec_purpose { mpispec_to_see, mpispec_to_take };

/* Polls one lane once. Returns 0 if its next message matches, otherwise mpispec_head_empty or
 * mpispec_head_unsure. With mpispec_to_see, called only while no message of the lane is queued.
 * With mpispec_to_take, the result is mpispec_head_unsure while a message or a receive is queued,
 * because the reader's limit is then null. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_head_peek(const struct mpispec_reader *reader, struct mpispec_wanted wanted,
                  enum mpispec_purpose purpose) {
  const struct mpispec_cell *cell = reader->next;
  unsigned long long seen;
  if (purpose == mpispec_to_take && cell >= reader->limit)
    return mpispec_head_unsure; /* without a lane to the peer, there is no cell */
  seen = mpispec_cell_peek(cell) ^ reader->lap;
  if (seen >> mpispec_lap_shift)
    return mpispec_head_empty;
  if ((seen ^ wanted.key) & ~wanted.wild)
    return mpispec_head_unsure;
  return purpose == mpispec_to_take || reader->limit ? 0 : mpispec_head_unsure;
}

/* Polls all lanes that have ever carried a message, beginning behind the lane of the last match.
 * Returns the peer whose next message matches, and sets `*found` to the reading end of its lane.
 * Called only while the heads are open. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_heads_peek(struct mpispec_wanted wanted, enum mpispec_purpose purpose,
                   struct mpispec_reader **found) {
  struct mpispec_heads *heads = &mpispec_state.heads;
  const unsigned int begin = heads->next;
  unsigned long long set;
  int shown = mpispec_head_empty;
  set = __atomic_load_n(heads->active_peers, mpispec_relaxed);
  for (set = set >> begin | set << (-begin & 63); set; set &= set - 1) {
    const unsigned int peer = ((unsigned int)__builtin_ctzll(set) + begin) & 63;
    struct mpispec_reader *reader = heads->lanes[peer];
    const int seen = mpispec_head_peek(reader, wanted, purpose);
    if (!seen) {
      heads->next = (peer + 1) & 63;
      *found = reader;
      return (int)peer;
    }
    if (seen == mpispec_head_unsure)
      shown = mpispec_head_unsure;
  }
  return shown;
}

/* Nonzero if no lane contains a message. Called only while the heads are open. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_heads_are_empty(void) {
  unsigned long long set = __atomic_load_n(mpispec_state.heads.active_peers, mpispec_relaxed);
  for (; set; set &= set - 1) {
    const struct mpispec_reader *reader = mpispec_state.heads.lanes[__builtin_ctzll(set)];
    if (!mpispec_lane_is_empty(reader))
      return 0;
  }
  return 1;
}

/* Nonzero if a peer's lane contains no message, and the reader is not at the lane's limit. The
 * limit is null while a message from the peer or a receive of its messages is queued. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_head_is_empty(const struct mpispec_reader *reader) {
  return reader->next < reader->limit && mpispec_lane_is_empty(reader);
}

/* The sender of the message at the head of a lane: its rank in the communicator whose route has
 * this key. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_head_source(unsigned long long key, unsigned long long header, int peer) {
  /* On MPI_COMM_WORLD, templates do not store the source in headers, because the lane determines
   * it. */
  if (!key)
    return mpispec_state.heads.world_ranks[peer];
  return (int)(header >> mpispec_source_shift);
}

/* Takes the next message of a lane, which matches and stands before the limit. Returns 0 if the
 * message is not inline in one cell, or is longer than the room. If the room is a constant and at
 * most a cell's payload, also returns 0 for a shorter message. Fills in `status` unless it is
 * null. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_head_take(struct mpispec_reader *reader, void *bytes, long long room, long long element,
                  int source, struct mpispec_status *status) {
  const struct mpispec_cell *cell = reader->next;
  const unsigned int length = (unsigned int)cell->header; /* huge for another kind */
  if (__builtin_constant_p(room) && room >= 0 && room <= mpispec_cell_payload) {
    if (__builtin_expect(length != (unsigned int)room, 0))
      return 0; /* only this constant length is copied without a call of memcpy */
    __builtin_memcpy(bytes, cell->payload, (unsigned long)room);
  } else {
    if (length > mpispec_cell_payload || (long long)length > room)
      return 0;
    mpispec_copy(bytes, cell->payload, length, element);
  }
  if (status)
    mpispec_status_fill(status, source, (int)(unsigned int)cell->envelope, length);
  ++reader->next;
  return 1;
}

/* Fills in a probe's status unless it is null. Returns 0 unless the message has kind inline,
 * because the header of another kind need not contain the length. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_head_fill_status(const struct mpispec_reader *reader, int source,
                         struct mpispec_status *status) {
  const struct mpispec_cell *cell = reader->next;
  const unsigned int length = (unsigned int)cell->header; /* huge for another kind */
  if (length >> mpispec_kind_shift)
    return 0;
  if (status)
    mpispec_status_fill(status, source, (int)(unsigned int)cell->envelope, length);
  return 1;
}

#endif
