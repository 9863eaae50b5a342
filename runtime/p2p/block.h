/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Messages in blocks of an arena: those too long for cells and too short for a rendezvous. All
 * functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_BLOCK_H
#define MPISPEC_RUNTIME_BLOCK_H

#include "job/node.h"
#include "p2p/block_cache.h"
#include "p2p/request.h"
#include "p2p/target.h"
#include "progress/tuning.h"
#include "shm/arena.h"
#include "shm/cell.h"
#include "shm/cell_copy.h"
#include "shm/shm.h"

#include <string.h>

/* Lends a block for the message. Sets `words`, which mpispec_block_send sends. Returns 0 if the
 * message is too long for a block, or if no block is free. */
int mpispec_block_prepare(const struct mpispec_call *call, int peer, uint64_t words[3]);

/* Sends the message in the block. If `rts` is not 0, the receiver writes FIN to this RTS descriptor
 * after it has copied the message. */
void mpispec_block_send(const struct mpispec_call *call, int peer, uint64_t words[3], uint64_t rts);

/* The length up to which a message to `peer` goes in a block, unless it has a typemap and is packed
 * ahead. If ranks share processors, and two copies cost less than the system calls, a block may be
 * longer: a sender that has copied all bytes need not wait until its receiver runs. */
int64_t mpispec_block_most_bytes(int peer);

/* The second word of the cell's payload. Bit 0 is a flag. The bits from MPISPEC_BLOCK_OWNER on are
 * the node rank in whose arena the block is. */
enum {
  MPISPEC_BLOCK_IS_WHOLE = 1, /* the payload was in the block before the cell was sent; `filled` is
                                 not used */
  MPISPEC_BLOCK_OWNER = 1
};

/* Copies a payload to or from a block. Only for blocks that are filled before their cell is
 * published. */
static inline __attribute__((always_inline)) void mpispec_block_copy(void *to, const void *from,
                                                                     uint64_t bytes) {
  if (bytes >= MPISPEC_BLOCK_COPY_LEAST && bytes <= MPISPEC_LEAST_STEP)
    mpispec_cell_copy.block(to, from, bytes);
  else
    memcpy(to, from, bytes);
}

/* Returns a cached block, or a block of this rank's arena if mpispec_arena_take finds one in few
 * instructions. Otherwise returns no block. */
static inline __attribute__((always_inline)) struct mpispec_block_ref
mpispec_block_at_hand(int64_t bytes) {
  struct mpispec_block_ref place = mpispec_block_cache_get(bytes);
  if (!place.offset)
    place = (struct mpispec_block_ref){
        mpispec_node.rank,
        mpispec_arena_take(&mpispec_shm.arena, mpispec_block_class((uint64_t)bytes))};
  return place;
}

/* The node rank in whose arena the block of a message is. */
static inline int mpispec_block_owner(const uint64_t words[2]) {
  return (int)(words[1] >> MPISPEC_BLOCK_OWNER);
}

/* Copies the payload of a block that its sender has written completely, and returns the block to
 * its owner. Returns 0 if the sender still writes. */
int mpispec_block_unload(void *bytes, int64_t length, const uint64_t words[2]);

/* Like mpispec_block_at_hand, but uses only this rank's arena, and may take many instructions.
 * Returns no block if the arena is full or the system refuses memory. */
static inline struct mpispec_block_ref mpispec_block_new(int64_t bytes) {
  return (struct mpispec_block_ref){
      mpispec_node.rank,
      mpispec_arena_try_allocate(&mpispec_shm.arena, (uint64_t)bytes, MPISPEC_ARENA_MESSAGE)};
}

/* Sends contiguous bytes, at most MPISPEC_WHOLE_BYTES, to another rank. The lane must have a free
 * cell. The block `place` is filled before the cell is published. */
static inline __attribute__((always_inline)) void
mpispec_block_put(const void *buffer, int64_t bytes, struct mpispec_block_ref place,
                  struct mpispec_writer *writer, uint64_t key, uint64_t header) {
  mpispec_block_copy(mpispec_block_ref_bytes(place), buffer, (uint64_t)bytes);
  struct mpispec_cell *cell = writer->next++;
  const uint64_t words[2] = {place.offset,
                             (uint64_t)place.owner << MPISPEC_BLOCK_OWNER | MPISPEC_BLOCK_IS_WHOLE};
  cell->header = header | (uint32_t)MPISPEC_BLOCK << mpispec_kind_shift | (uint64_t)bytes;
  memcpy(cell->payload, words, sizeof words);
  mpispec_cell_publish(cell, writer->lap | key);
}

/* Returns the length of the message of `cell` if its bytes are in a block that its sender has
 * filled, else 0. `header` is the lower half of the cell's header. */
static inline uint32_t mpispec_block_length(const struct mpispec_cell *cell, uint32_t header) {
  uint64_t word;
  if (header >> mpispec_kind_shift != MPISPEC_BLOCK)
    return 0;
  __builtin_memcpy(&word, cell->payload + 8, sizeof word);
  return word & MPISPEC_BLOCK_IS_WHOLE ? header & ((UINT32_C(1) << mpispec_kind_shift) - 1) : 0;
}

/* Receives a message for which mpispec_block_length has returned `bytes`, and advances the reader.
 * Always returns 0. */
int mpispec_block_take(struct mpispec_reader *reader, void *buffer, uint32_t bytes);

/* Returns an empty block for the bytes of a call, or no block. Sets `words`, which the caller
 * publishes in the cell. The receiver then copies the bytes while mpispec_block_fill stores
 * them. */
struct mpispec_block_ref mpispec_block_lend(const struct mpispec_call *call, uint64_t *words);

/* Stores the bytes of the call in the block that `words` name. Called after the caller has
 * published `words`. */
void mpispec_block_fill(const struct mpispec_call *call, const uint64_t words[2]);

/* Receives a message in a block: copies the first `length` of its `sent` bytes to `target`. `words`
 * are the first words of its cell's payload. Returns 0 if the sender `peer` has ended before the
 * block was full. */
int mpispec_block_receive(struct mpispec_target *target, int64_t length, int64_t sent,
                          const uint64_t words[2], int peer);

#endif
