/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Slots: the shared memory of collective operations. In a slot, one rank shows data to the other
 * members of one communicator. Each rank has its slots in its own segment (shm/segment.h). The
 * place of a slot follows from its number. The members of a communicator agree on a number.
 *
 *   byte   0      cells    a line each: word, length, payload (mpispec/steps.h)
 *          4096   completed  the steps that this rank has completed; notes of a mismatch
 *                            (mismatch.c)
 *          6144   chunks   room for parts that do not fit a cell, not at a page's start (arena.c):
 *                          long chunks, and behind them short ones
 *
 * Collective operations consist of steps, which are numbered consecutively on each communicator. In
 * step s, a member that has something to show fills cell s % MPISPEC_SLOT_CELLS. A part that does
 * not fit the cell goes to a chunk, by default of its own slot: to the long chunk s %
 * MPISPEC_SLOT_CHUNKS, or to the short one s % MPISPEC_SLOT_SHORT_CHUNKS. Two members that exchange
 * also write into each other's chunks (mpispec_step_chunk). The member then stores in its own cell
 * a word that contains s and the operation (mpispec/signature.h). Members that need the part wait
 * for this word.
 *
 * Before a rank overwrites a cell or chunk, it polls `completed` until all members have left the
 * step that used the cell or chunk. A rank waits until others leave a step only in this case.
 *
 *   rank 0   cells  | 64 | 65 | 66 |  3 | ...      rank 0 has shown its part of steps 64 to 66,
 *   rank 1   cells  | 64 | 65 |  2 |  3 | ...      rank 1 has not reached step 66 yet
 *
 * The place of a slot never changes. Numbers below MPISPEC_LARGE_SLOTS have large chunks, the
 * others small ones. Therefore the size of all slots together does not depend on the number of
 * communicators, and untouched pages take no memory. With at most MPISPEC_LONG_CHUNK_RANKS ranks on
 * the node, numbers below MPISPEC_LONG_SLOTS have room for larger chunks, which members that share
 * processors use: then each step costs switches of a processor. If no number is free, the MPI
 * library executes the collective operations of the communicator. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_SLOT_H
#define MPISPEC_RUNTIME_COLLECTIVE_SLOT_H

#include "job/node.h"
#include "mpispec/steps.h"

#include <assert.h>
#include <stdint.h>

enum {
  MPISPEC_SLOT_CELLS = mpispec_slot_cells,
  MPISPEC_SLOT_CHUNKS = 4,
  MPISPEC_SLOT_SHORT_CHUNKS = 16, /* only behind large chunks */
  MPISPEC_SLOT_PAYLOAD = mpispec_slot_payload,
  MPISPEC_MOST_MEMBERS = 256,
  MPISPEC_LARGE_SLOTS = 64,
  MPISPEC_SLOTS = 1024, /* numbers */
  MPISPEC_LONG_SLOTS = 8,
  MPISPEC_LONG_CHUNK = 256 * 1024,
  MPISPEC_LONG_CHUNK_RANKS = 32, /* on a node, at most: their chunks of one number take 32 MiB */
  MPISPEC_LARGE_CHUNK = 64 * 1024,
  MPISPEC_SMALL_CHUNK = 1024,
  MPISPEC_SHORT_CHUNK = 8 * 1024,
  MPISPEC_SMALL_MOST = 64 * MPISPEC_SMALL_CHUNK /* most bytes of an operation in small chunks */
};

static_assert(sizeof(struct mpispec_slot_cell) == 64, "a cell is one cache line");
static_assert(sizeof(struct mpispec_slot) == 6144, "chunks begin in the middle of a page");
static_assert(MPISPEC_SLOT_CHUNKS % mpispec_slot_publish_every == 0 &&
                  MPISPEC_SLOT_CELLS % mpispec_slot_publish_every == 0,
              "completed steps are published before others need them");

/* The size of the long chunks, in bytes. `is_long` is nonzero if the members use the longest ones
 * that they have room for. */
static inline int64_t mpispec_slot_chunk_bytes(unsigned number, int is_long) {
  return number >= MPISPEC_LARGE_SLOTS            ? MPISPEC_SMALL_CHUNK
         : number < MPISPEC_LONG_SLOTS && is_long ? MPISPEC_LONG_CHUNK
                                                  : MPISPEC_LARGE_CHUNK;
}

/* The offset of a slot from the first slot, in bytes. For MPISPEC_SLOTS: the size of all slots.
 * Called after mpispec_node_find. */
static inline uint64_t mpispec_slot_offset(unsigned number) {
  const uint64_t pages = 2 * 4096, short_chunks = MPISPEC_SLOT_SHORT_CHUNKS * MPISPEC_SHORT_CHUNK;
  const uint64_t longest = pages + MPISPEC_SLOT_CHUNKS * MPISPEC_LONG_CHUNK + short_chunks,
                 large = pages + MPISPEC_SLOT_CHUNKS * MPISPEC_LARGE_CHUNK + short_chunks,
                 small = pages + MPISPEC_SLOT_CHUNKS * MPISPEC_SMALL_CHUNK;
  const uint64_t most = mpispec_node.size <= MPISPEC_LONG_CHUNK_RANKS ? MPISPEC_LONG_SLOTS : 0;
  const uint64_t longs = number < most ? number : most,
                 larges = number < MPISPEC_LARGE_SLOTS ? number : MPISPEC_LARGE_SLOTS;
  return longs * longest + (larges - longs) * large + (number - larges) * small;
}

#endif
