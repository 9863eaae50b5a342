/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arena's allocator, with a class of blocks for each power of two. It uses the block that was
 * freed last, because the lines of this block are still in a cache. See arena.h. Only the owner
 * executes this file. Therefore only the word `used` is shared. */
#define _GNU_SOURCE
#include "shm/arena.h"

#include "job/fatal.h"
#include "progress/tuning.h"
#include "shm/arena_ranges.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The end of the part of the arena that a use may take. */
static uint64_t end_for(const struct mpispec_arena *arena, enum mpispec_arena_use use) {
  return arena->begin + (arena->end - arena->begin) / 16 * use;
}

void mpispec_arena_open(struct mpispec_arena *arena, unsigned char *segment, uint64_t begin,
                        uint64_t end) {
  memset(arena, 0, sizeof *arena);
  arena->segment = segment;
  arena->begin = arena->top = arena->backed = begin;
  arena->end = end;
  for (unsigned c = 0; c < MPISPEC_BLOCK_CLASSES; ++c) {
    arena->classes[c].lent_in_vain = UINT64_MAX;
    arena->classes[c].last_for_messages =
        end_for(arena, MPISPEC_ARENA_MESSAGE) - (UINT64_C(64) << c);
  }
}

void mpispec_arena_close(struct mpispec_arena *arena) {
  for (unsigned c = 0; c < MPISPEC_BLOCK_CLASSES; ++c) {
    free(arena->classes[c].free);
    free(arena->classes[c].lent);
  }
  memset(arena, 0, sizeof *arena);
}

/* --- memory from the system --------------------------------------------------------------------*/

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

int mpispec_memory_populate(void *memory, uint64_t bytes) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uintptr_t from = (uintptr_t)memory / page * page;
  const uintptr_t to = ((uintptr_t)memory + bytes + page - 1) / page * page;
  /* By system call, because transports of MPI libraries replace the function madvise. */
  for (int tries = 0; tries < MPISPEC_MEMORY_TRIES;) {
    if (!syscall(SYS_madvise, (void *)from, to - from, MADV_POPULATE_WRITE))
      return 1;
    if (errno != EINTR && errno != EAGAIN)
      return errno == EINVAL; /* Linux before 5.14 has no such request */
    tries += errno == EAGAIN;
  }
  return 0;
}

/* Records that the system has refused memory. The caller continues, because receivers may still
 * return blocks. If refusals last for MPISPEC_ARENA_TIMEOUT, the function ends the job, which would
 * otherwise wait forever. */
static void note_refusal(struct mpispec_arena *arena) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  if (!arena->refused_at)
    arena->refused_at = now.tv_sec;
  if (now.tv_sec - arena->refused_at < MPISPEC_ARENA_TIMEOUT)
    return;
  mpispec_fatal("the system has refused memory for messages for too long");
}

/* Nonzero if memory is mapped up to `end`; maps more if necessary. */
static int is_backed(struct mpispec_arena *arena, uint64_t end) {
  if (end <= arena->backed)
    return 1;
  const uint64_t more = arena->backed + MPISPEC_ARENA_STEP;
  const uint64_t target = end > more ? end : more < arena->end ? more : arena->end;
  if (!mpispec_memory_populate(arena->segment + arena->backed, target - arena->backed)) {
    note_refusal(arena);
    return 0;
  }
  arena->backed = target;
  arena->refused_at = 0;
  return 1;
}

void mpispec_arena_warm(struct mpispec_arena *arena) {
  if (mpispec_memory_populate(arena->segment + arena->begin, MPISPEC_ARENA_WARM))
    arena->backed = arena->begin + MPISPEC_ARENA_WARM;
}

/* --- blocks ------------------------------------------------------------------------------------*/

static int make_room_free(struct mpispec_block_class *class) {
  if (class->free_count < class->free_room)
    return 1;
  const size_t room = class->free_room ? 2 * class->free_room : 16;
  uint64_t *larger = realloc(class->free, room * sizeof *larger);
  if (!larger)
    return 0;
  class->free = larger;
  class->free_room = room;
  return 1;
}

static int make_room_lent(struct mpispec_block_class *class) {
  if (class->lent_count < class->lent_room)
    return 1;
  const size_t room = class->lent_room ? 2 * class->lent_room : 16;
  uint64_t *larger = malloc(room * sizeof *larger);
  if (!larger)
    return 0;
  for (size_t i = 0; i < class->lent_count; ++i)
    larger[i] = class->lent[(class->lent_first + i) & (class->lent_room - 1)];
  free(class->lent);
  class->lent = larger;
  class->lent_first = 0;
  class->lent_room = room;
  return 1;
}

void mpispec_arena_collect(struct mpispec_arena *arena, unsigned c, size_t most) {
  struct mpispec_block_class *class = &arena->classes[c];
  for (size_t i = class->lent_count < most ? class->lent_count : most; i > 0; --i) {
    const uint64_t offset = class->lent[class->lent_first & (class->lent_room - 1)];
    /* Pair B, acquire: the last user's reads precede this rank's next writes. */
    const int used = (int)atomic_load_explicit(&mpispec_block_head(arena->segment, offset)->used,
                                               memory_order_acquire);
    if (!used && !make_room_free(class))
      return;
    class->lent_first = (class->lent_first + 1) & (class->lent_room - 1);
    if (used) {
      class->lent[(class->lent_first + class->lent_count - 1) & (class->lent_room - 1)] = offset;
      continue;
    }
    --class->lent_count;
    --arena->lent;
    class->free[class->free_count++] = offset;
  }
}

/* The offset at which the payload of a large block begins. Processors with fast string copies take
 * three times as long if source and target differ by 1 to 63 bytes, modulo the page size. Large
 * buffers of programs begin with a page, or 16 bytes later if they come from malloc. Therefore the
 * payload keeps a distance from the page's begin. */
static uint64_t well_placed(uint64_t offset, unsigned c) {
  enum { PAGE = 4096, APART = MPISPEC_APART };
  if (UINT64_C(64) << c < PAGE)
    return offset;
  const uint64_t place = (offset + APART) % PAGE;
  return place < 2 * APART ? offset + 2 * APART - place : offset;
}

static uint64_t take_fresh(struct mpispec_arena *arena, unsigned c, uint64_t end) {
  const uint64_t bytes = UINT64_C(64) << c;
  const uint64_t offset = well_placed(arena->top + MPISPEC_BLOCK_HEAD, c);
  if (offset > end || end - offset < bytes || !is_backed(arena, offset + bytes))
    return 0;
  arena->top = offset + bytes;
  return offset;
}

/* --- memory of other classes -------------------------------------------------------------------*/

/* Payloads of a class that lie one after the other, to the end of the last one. */
struct row {
  uint64_t first, end;
  unsigned count;
};

/* At most MPISPEC_ARENA_SWEEP payloads of class c in the first gap between two lent blocks. The
 * last gap ends at `end`, and may go beyond the top. */
static struct row find_gap(const struct mpispec_arena *arena, const struct mpispec_range *lent,
                           unsigned c, uint64_t end) {
  struct row row = {.count = 0};
  uint64_t from = arena->begin;
  for (size_t i = 0; i <= arena->lent && !row.count; ++i) {
    const uint64_t to = i < arena->lent && lent[i].begin < end ? lent[i].begin : end;
    for (uint64_t offset = well_placed(from + MPISPEC_BLOCK_HEAD, c);
         offset + (UINT64_C(64) << c) <= to && row.count < MPISPEC_ARENA_SWEEP;
         offset = well_placed(row.end + MPISPEC_BLOCK_HEAD, c)) {
      row.first = row.count++ ? row.first : offset;
      row.end = offset + (UINT64_C(64) << c);
    }
    if (to == end)
      break;
    from = lent[i].end;
  }
  return row;
}

/* Removes the free blocks that overlap a range. What they have outside of it is in no list, but in
 * the gaps that the next search finds. */
static void forget_free(struct mpispec_arena *arena, struct mpispec_range range) {
  for (unsigned c = 0; c < MPISPEC_BLOCK_CLASSES; ++c) {
    struct mpispec_block_class *class = &arena->classes[c];
    size_t kept = 0;
    for (size_t i = 0; i < class->free_count; ++i) {
      const uint64_t offset = class->free[i];
      if (offset + (UINT64_C(64) << c) <= range.begin || offset - MPISPEC_BLOCK_HEAD >= range.end)
        class->free[kept++] = offset;
    }
    class->free_count = kept;
  }
}

/* Nonzero if the memory that is not lent, in lists of free blocks or not, has the bytes of a block,
 * and a search is not likely to be in vain. After one in vain, the next one comes when so many
 * bytes are back, or after many calls, because it looks at all lent blocks. */
static int is_worth_search(struct mpispec_arena *arena, struct mpispec_block_class *class,
                           uint64_t bytes) {
  for (unsigned other = 0; other < MPISPEC_BLOCK_CLASSES; ++other)
    mpispec_arena_collect(arena, other, MPISPEC_ARENA_SWEEP);
  const uint64_t wanted = mpispec_arena_lent_bytes(arena) + bytes;
  return arena->end - arena->begin >= wanted &&
         (class->lent_in_vain >= wanted || ++class->vain_calls > arena->lent / 8);
}

/* Makes blocks from free ones of other classes that lie side by side. Returns the first one. */
static uint64_t take_from_others(struct mpispec_arena *arena, unsigned c, uint64_t end) {
  struct mpispec_block_class *class = &arena->classes[c];
  if (!is_worth_search(arena, class, UINT64_C(64) << c))
    return 0;
  for (unsigned other = 0; other < MPISPEC_BLOCK_CLASSES; ++other)
    mpispec_arena_collect(arena, other, SIZE_MAX);
  struct mpispec_range *lent = mpispec_arena_lent_ranges(arena);
  struct row row = lent ? find_gap(arena, lent, c, end) : (struct row){0, 0, 0};
  free(lent);
  class->lent_in_vain = row.count ? UINT64_MAX : mpispec_arena_lent_bytes(arena);
  class->vain_calls = 0;
  if (row.end > arena->backed)
    row = (struct row){row.first, row.first + (UINT64_C(64) << c), 1};
  if (!row.first || !is_backed(arena, row.end))
    return 0;
  forget_free(arena, (struct mpispec_range){row.first - MPISPEC_BLOCK_HEAD, row.end});
  uint64_t offset = row.first;
  for (unsigned i = 1; i < row.count && make_room_free(class); ++i) {
    offset = well_placed(offset + (UINT64_C(64) << c) + MPISPEC_BLOCK_HEAD, c);
    class->free[class->free_count++] = offset;
  }
  if (arena->top < row.end)
    arena->top = row.end;
  return row.first;
}

/* --- memory that the system has taken back -----------------------------------------------------*/

static int warm_part(struct mpispec_arena *arena, uint64_t part) {
  uint64_t *word = &arena->warm[part / 64];
  const uint64_t bit = UINT64_C(1) << part % 64;
  if (*word & bit)
    return 1;
  if (!mpispec_memory_populate(arena->segment + arena->begin + part * MPISPEC_ARENA_PART,
                               MPISPEC_ARENA_PART))
    return 0;
  *word |= bit;
  ++arena->warmed;
  return 1;
}

/* Populates a free block whose memory was returned to the system. Returns 0 if the system
 * refuses. */
static int is_warm(struct mpispec_arena *arena, uint64_t offset, unsigned c) {
  const uint64_t begin = offset - MPISPEC_BLOCK_HEAD, end = offset + (UINT64_C(64) << c);
  if (offset >= arena->cold_end || end <= mpispec_arena_kept_end(arena))
    return 1;
  for (uint64_t part = (begin - arena->begin) / MPISPEC_ARENA_PART;
       part <= (end - 1 - arena->begin) / MPISPEC_ARENA_PART; ++part)
    if (!warm_part(arena, part)) {
      note_refusal(arena);
      return 0;
    }
  arena->refused_at = 0;
  return 1;
}

/* --- lending -----------------------------------------------------------------------------------*/

/* Returns a free block that ends before `end`, among those that were freed last, or 0. */
static uint64_t take_free(struct mpispec_block_class *class, unsigned c, uint64_t end) {
  const size_t most =
      class->free_count < MPISPEC_ARENA_SWEEP ? class->free_count : MPISPEC_ARENA_SWEEP;
  for (size_t i = 1; i <= most; ++i) {
    uint64_t *place = &class->free[class->free_count - i], offset = *place;
    if (offset + (UINT64_C(64) << c) <= end) {
      *place = class->free[--class->free_count];
      return offset;
    }
  }
  return 0;
}

uint64_t mpispec_arena_allocate(struct mpispec_arena *arena, uint64_t bytes,
                                enum mpispec_arena_use use) {
  const unsigned c = mpispec_block_class(bytes);
  if (c >= MPISPEC_BLOCK_CLASSES)
    return 0;
  struct mpispec_block_class *class = &arena->classes[c];
  if (!make_room_lent(class))
    return 0;
  const uint64_t end = end_for(arena, use);
  uint64_t offset = take_free(class, c, end);
  if (!offset) {
    mpispec_arena_collect(arena, c, MPISPEC_ARENA_SWEEP);
    offset = take_free(class, c, end);
  }
  if (!offset && !(offset = take_fresh(arena, c, end)))
    offset = take_from_others(arena, c, end);
  if (!offset)
    return 0;
  if (!is_warm(arena, offset, c)) {
    if (make_room_free(class))
      class->free[class->free_count++] = offset;
    return 0;
  }
  arena->refused_at = 0;
  atomic_store_explicit(&mpispec_block_head(arena->segment, offset)->used, 1, memory_order_relaxed);
  class->lent[(class->lent_first + class->lent_count++) & (class->lent_room - 1)] = offset;
  ++arena->lent;
  return offset;
}

uint64_t mpispec_arena_try_allocate(struct mpispec_arena *arena, uint64_t bytes,
                                    enum mpispec_arena_use use) {
  const int64_t refused_at = arena->refused_at;
  arena->refused_at = 0;
  const uint64_t offset = mpispec_arena_allocate(arena, bytes, use);
  if (!offset)
    arena->refused_at = refused_at;
  return offset;
}

size_t mpispec_arena_lent(struct mpispec_arena *arena, uint64_t bytes) {
  const unsigned c = mpispec_block_class(bytes);
  mpispec_arena_collect(arena, c, MPISPEC_ARENA_SWEEP);
  return arena->classes[c].lent_count;
}
