/* Slots: the shared memory of collective operations. A slot is what one rank shows to the other
 * members of one communicator; each rank has its slots in its own segment (segment.h), at places
 * that follow from the slot's number alone. The members of a communicator agree on a number.
 *
 *   slot   0      cells    a line each: word, length, up to 48 bytes (mpispec/steps.h)
 *          1024   left     how many steps this rank has left behind; what it waits for (mismatch.c)
 *          2048   chunks   room for what does not fit a cell: not at the begin of a page (arena.c)
 *
 * Collective operations are made of steps, numbered without end on each communicator. In step s a
 * member that has something to show fills cell s % 16 (and, if that is too small, chunk s % 4) and
 * then stores s in the cell, with what the operation is (mpispec/signature.h); whoever needs it
 * waits for that word there. Nobody waits for others to leave: only a rank that is sixteen cells or
 * four chunks ahead of another looks at `left`.
 *
 *   rank 0   cells  | 16 | 17 | 18 |  3 | ...      rank 0 has shown its part of steps 16 to 18,
 *   rank 1   cells  | 16 | 17 |  2 |  3 | ...      rank 1 will come to step 18
 *
 * A slot is bound once for all: numbers up to MPISPEC_LARGE_SLOTS have large chunks, the others
 * small ones, so however many communicators there are, a rank's slots take at most 24 MiB, and only
 * what was touched of that is in memory. When numbers run out, a communicator's collective
 * operations stay with the MPI library. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_SLOT_H
#define MPISPEC_RUNTIME_COLLECTIVE_SLOT_H

#include "mpispec/steps.h"

#include <assert.h>
#include <stdint.h>

enum {
  MPISPEC_SLOT_CELLS = mpispec_slot_cells,
  MPISPEC_SLOT_CHUNKS = 4,
  MPISPEC_SLOT_PAYLOAD = mpispec_slot_payload,
  MPISPEC_MOST_MEMBERS = 256,
  MPISPEC_LARGE_SLOTS = 64,
  MPISPEC_SLOTS = 1024, /* numbers in all */
  MPISPEC_LARGE_CHUNK = 64 * 1024,
  MPISPEC_SMALL_CHUNK = 1024,
  MPISPEC_SMALL_MOST = 64 * MPISPEC_SMALL_CHUNK /* bytes that are not too much for small chunks */
};

static_assert(sizeof(struct mpispec_slot_cell) == 64, "a cell is one cache line");
static_assert(sizeof(struct mpispec_slot) == 2048, "chunks begin in the middle of a page");
static_assert(MPISPEC_SLOT_CHUNKS % mpispec_slot_told == 0 &&
                  MPISPEC_SLOT_CELLS % mpispec_slot_told == 0,
              "what is left is told before there is need of it");

static inline int64_t mpispec_slot_chunk_bytes(unsigned number) {
  return number < MPISPEC_LARGE_SLOTS ? MPISPEC_LARGE_CHUNK : MPISPEC_SMALL_CHUNK;
}

/* Offset of a slot from the first, in bytes; of MPISPEC_SLOTS: the room that all take. */
static inline uint64_t mpispec_slot_offset(unsigned number) {
  const uint64_t page = 4096;
  const uint64_t large = page + MPISPEC_SLOT_CHUNKS * MPISPEC_LARGE_CHUNK;
  const uint64_t small = page + MPISPEC_SLOT_CHUNKS * MPISPEC_SMALL_CHUNK;
  return number <= MPISPEC_LARGE_SLOTS
             ? number * large
             : MPISPEC_LARGE_SLOTS * large + (number - MPISPEC_LARGE_SLOTS) * small;
}

#endif
