/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where an arena's lent blocks are, and how its memory goes back to the system after a flood of
 * messages. See arena.h. */
#define _GNU_SOURCE
#include "shm/arena_ranges.h"
#include "progress/tuning.h"
#include "shm/arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint64_t mpispec_arena_kept_end(const struct mpispec_arena *arena) {
  return arena->end - arena->begin < MPISPEC_ARENA_KEPT ? arena->end
                                                        : arena->begin + MPISPEC_ARENA_KEPT;
}

static int is_before(const void *one, const void *other) {
  const uint64_t a = ((const struct mpispec_range *)one)->begin,
                 b = ((const struct mpispec_range *)other)->begin;
  return (a > b) - (a < b);
}

struct mpispec_range *mpispec_arena_lent_ranges(const struct mpispec_arena *arena) {
  struct mpispec_range *ranges = malloc((arena->lent + 1) * sizeof *ranges);
  size_t count = 0;
  if (!ranges)
    return NULL;
  for (unsigned c = 0; c < MPISPEC_BLOCK_CLASSES; ++c) {
    const struct mpispec_block_class *class = &arena->classes[c];
    for (size_t i = 0; i < class->lent_count; ++i) {
      const uint64_t offset = class->lent[(class->lent_first + i) & (class->lent_room - 1)];
      ranges[count++] =
          (struct mpispec_range){offset - MPISPEC_BLOCK_HEAD, offset + (UINT64_C(64) << c)};
    }
  }
  qsort(ranges, count, sizeof *ranges, is_before);
  return ranges;
}

uint64_t mpispec_arena_lent_bytes(const struct mpispec_arena *arena) {
  uint64_t bytes = 0;
  for (unsigned c = 0; c < MPISPEC_BLOCK_CLASSES; ++c)
    bytes += arena->classes[c].lent_count * (MPISPEC_BLOCK_HEAD + (UINT64_C(64) << c));
  return bytes;
}

static void return_pages(struct mpispec_arena *arena, uint64_t from, uint64_t to) {
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  from = (from + page - 1) / page * page;
  to = to / page * page;
  if (from < to) /* by system call: see mpispec_memory_populate */
    syscall(SYS_madvise, arena->segment + from, to - from, MADV_REMOVE);
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Returns all memory except the kept begin of the arena and lent blocks. Free blocks stay free. */
static void cool(struct mpispec_arena *arena) {
  struct mpispec_range *lent = mpispec_arena_lent_ranges(arena);
  uint64_t from = mpispec_arena_kept_end(arena);
  if (!lent)
    return;
  for (size_t k = 0; k < arena->lent; ++k) {
    return_pages(arena, from, lent[k].begin);
    from = larger(from, lent[k].end);
  }
  free(lent);
  return_pages(arena, from, arena->top);
  arena->cold_end = arena->top;
  arena->warmed = arena->warmed_seen = 0;
  memset(arena->warm, 0, sizeof arena->warm);
}

static void start_anew(struct mpispec_arena *arena) {
  for (unsigned c = 0; c < MPISPEC_BLOCK_CLASSES; ++c)
    arena->classes[c].free_count = 0;
  arena->top = arena->begin;
  arena->backed = mpispec_arena_kept_end(arena);
  arena->cold_end = 0;
  return_pages(arena, arena->backed, arena->end);
}

static int64_t milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void mpispec_arena_trim(struct mpispec_arena *arena) {
  if (arena->top - arena->begin <= MPISPEC_ARENA_KEPT)
    return;
  for (unsigned c = 0; c < MPISPEC_BLOCK_CLASSES && arena->lent; ++c)
    mpispec_arena_collect(arena, c, 4 * MPISPEC_ARENA_SWEEP); /* a burst ends over several calls */
  const int64_t now = milliseconds_now();
  if (arena->lent > MPISPEC_ARENA_FEW || arena->warmed != arena->warmed_seen)
    arena->busy_at = now; /* the returned memory is in use again */
  arena->warmed_seen = arena->warmed;
  if (now - arena->busy_at < MPISPEC_ARENA_REST)
    return; /* another window of messages may follow */
  if (!arena->lent)
    start_anew(arena);
  else if (arena->lent <= MPISPEC_ARENA_FEW &&
           (arena->cold_end != arena->top ||
            arena->warmed * MPISPEC_ARENA_PART > MPISPEC_ARENA_KEPT))
    cool(arena);
}
