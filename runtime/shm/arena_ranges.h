/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of an arena that are lent. For arena.c and arena_ranges.c. */
#ifndef MPISPEC_RUNTIME_ARENA_RANGES_H
#define MPISPEC_RUNTIME_ARENA_RANGES_H

#include "shm/arena.h"

#include <stddef.h>
#include <stdint.h>

/* Offsets in the segment. */
struct mpispec_range {
  uint64_t begin, end;
};

/* The lent blocks with their heads, `arena->lent` of them, in ascending order. The caller frees the
 * array. Null if there is no memory. */
struct mpispec_range *mpispec_arena_lent_ranges(const struct mpispec_arena *arena);

/* The bytes of the lent blocks with their heads. */
uint64_t mpispec_arena_lent_bytes(const struct mpispec_arena *arena);

/* Moves the returned blocks among the `most` oldest lent ones of class c to the free list. Blocks
 * still in use move to the end of the ring, so that a block that is held long hides no other one.
 */
void mpispec_arena_collect(struct mpispec_arena *arena, unsigned c, size_t most);

/* The end of the memory that never goes back to the system. */
uint64_t mpispec_arena_kept_end(const struct mpispec_arena *arena);

#endif
