/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arena: the part of a rank's segment from which the rank lends blocks of memory. A block holds
 * payload that is too long for the cells of a lane.
 *
 * Only the owner, the rank whose segment it is, allocates blocks. The owner lends a block by
 * writing the block's offset into a message. The last user of the block may be any rank of the
 * node. The last user returns the block: it stores 0 into `used`, in the block's first line, and
 * does not access the block afterwards. The owner finds returned blocks when it allocates the next
 * ones. Therefore `used` is the only word of the allocator that two ranks write. Offsets count from
 * the start of the segment, in bytes; the offset 0 means "no block".
 *
 *   block   +----------------------+------------------------------ - - -
 *           | line 0: head         | payload, a multiple of the line
 *           |         used, filled |
 *           +----------------------+------------------------------ - - -
 */
#ifndef MPISPEC_RUNTIME_ARENA_H
#define MPISPEC_RUNTIME_ARENA_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the system map memory for all pages of these `bytes` bytes at once. Returns 0 if the system
 * refuses. Without this call, a refusal is a SIGBUS at the first access to a page. */
int mpispec_memory_populate(void *memory, uint64_t bytes);

/* A block of class c has 64 << c bytes of payload. */
enum { MPISPEC_BLOCK_CLASSES = 21, MPISPEC_BLOCK_HEAD = 64 };

/* The class of the smallest blocks whose payload has room for `bytes` bytes. */
static inline unsigned mpispec_block_class(uint64_t bytes) {
  return bytes <= 64 ? 0 : (63 ^ (unsigned)__builtin_clzll(bytes - 1)) - 5;
}

/* The greatest and the least size of an arena, in bytes. The blocks that a rank has lent at a time
 * fit its arena. All arenas of a node have one size (segment.c). */
#define MPISPEC_ARENA_BYTES (UINT64_C(1) << 30)
#define MPISPEC_ARENA_LEAST (UINT64_C(1) << 24)

/* mpispec_arena_trim returns memory to the system. A later allocation maps this memory again in
 * parts of this many bytes. */
enum { MPISPEC_ARENA_PART = 64 * 1024 };

struct mpispec_block {
  _Atomic uint32_t used;   /* the owner stores 1, the last user stores 0 (pair B) */
  _Atomic uint64_t filled; /* payload bytes that the sender has copied so far (pair F) */
};

/* The blocks of one class, in private memory of the owner. `free` is a stack of the free blocks.
 * `lent` is a queue of the lent blocks, the oldest first. A block stays in `lent` after its last
 * user has returned it, until the owner reads 0 from `used`. */
struct mpispec_block_class {
  uint64_t *free;
  size_t free_count, free_room;
  uint64_t *lent; /* a ring of `lent_room` offsets; `lent_room` is a power of two */
  size_t lent_first, lent_count, lent_room;
  uint64_t lent_in_vain; /* the arena's lent bytes when memory of other classes was last sought in
                            vain */
  unsigned vain_calls;   /* calls that did not seek it again */
  uint64_t last_for_messages; /* the last offset of the part that messages may take */
};

struct mpispec_arena {
  unsigned char *segment; /* the address of the segment in this process */
  uint64_t begin, end;    /* the arena's first offset, and the offset behind its last byte */
  uint64_t top;           /* no block has been lent at this offset or behind it yet */
  uint64_t backed;      /* memory is mapped below this offset, except in parts that trim returned */
  int64_t refused_at;   /* when the system's current refusals began, in seconds; else 0 */
  size_t lent;          /* blocks in the queues of all classes together */
  int64_t busy_at;      /* when trim last found the arena in use, in milliseconds */
  uint64_t cold_end;    /* trim returned the memory of the free blocks below this offset, */
  uint64_t warmed;      /* and later allocations mapped this many parts of it again */
  uint64_t warmed_seen; /* the value of `warmed` at trim's last call */
  /* A bit for each mapped part. The largest arena has some more than MPISPEC_ARENA_BYTES. */
  uint64_t warm[MPISPEC_ARENA_BYTES / MPISPEC_ARENA_PART / 64 + 1];
  struct mpispec_block_class classes[MPISPEC_BLOCK_CLASSES];
};

void mpispec_arena_open(struct mpispec_arena *arena, unsigned char *segment, uint64_t begin,
                        uint64_t end);

/* Maps the memory of the first blocks in MPI_Init, because mapping it later delays messages. */
void mpispec_arena_warm(struct mpispec_arena *arena);
void mpispec_arena_close(struct mpispec_arena *arena);

/* The use of a block, and the sixteenths of the arena that the use may take. The rest is for the
 * uses that follow. Otherwise messages that nobody reads could leave no memory to those that are
 * read. A block's memory keeps its class until another class needs it. */
enum mpispec_arena_use {
  MPISPEC_ARENA_MESSAGE = 12,   /* a message, which can also travel by RTS */
  MPISPEC_ARENA_CELLS = 13,     /* an extent of a lane */
  MPISPEC_ARENA_PIPE = 14,      /* a slot of a pipe */
  MPISPEC_ARENA_DESCRIPTOR = 16 /* an RTS descriptor */
};

/* The longest slot, in bytes, that surely fits the part of the arena that other uses leave to
 * pipes. */
static inline int64_t mpispec_arena_most_slot(const struct mpispec_arena *arena) {
  return (int64_t)(arena->end - arena->begin) / 16 * (MPISPEC_ARENA_PIPE - MPISPEC_ARENA_CELLS) / 2;
}

/* Lends a block with room for `bytes` bytes and returns the offset of its payload. Returns 0 if the
 * part of the arena for this use is full and the MPISPEC_ARENA_SWEEP oldest lent blocks of this
 * class are in use. Also returns 0 if the system refuses memory. The function ends the job if these
 * refusals last longer than MPISPEC_ARENA_TIMEOUT, because the rank would wait forever. Owner
 * only. */
uint64_t mpispec_arena_allocate(struct mpispec_arena *arena, uint64_t bytes,
                                enum mpispec_arena_use use);

/* Like mpispec_arena_allocate, for callers that can do without the block: a refusal by the system
 * does not count towards MPISPEC_ARENA_TIMEOUT. Owner only. */
uint64_t mpispec_arena_try_allocate(struct mpispec_arena *arena, uint64_t bytes,
                                    enum mpispec_arena_use use);

/* An upper bound of the number of lent blocks in the class of `bytes`. The function first takes
 * back the returned blocks among the MPISPEC_ARENA_SWEEP oldest ones of this class. Owner only. */
size_t mpispec_arena_lent(struct mpispec_arena *arena, uint64_t bytes);

static inline struct mpispec_block *mpispec_block_head(unsigned char *segment, uint64_t offset) {
  return (struct mpispec_block *)(segment + offset - MPISPEC_BLOCK_HEAD);
}

/* Returns the block whose payload is at `offset` of the segment at `segment`. The caller may be any
 * rank, but it must be the block's last user. It must not access the block afterwards. */
static inline void mpispec_block_release(unsigned char *segment, uint64_t offset) {
  struct mpispec_block *block = mpispec_block_head(segment, offset);
  /* Pair B, release: this rank's reads of the payload precede the owner's next writes to it. */
  atomic_store_explicit(&block->used, 0, memory_order_release);
}

/* Lends the oldest lent block of a class once more, for a message, if its last user has returned
 * it. Returns the offset of its payload, or 0 if the block is still in use. */
static inline uint64_t mpispec_arena_lend_again(struct mpispec_arena *arena,
                                                struct mpispec_block_class *class) {
  if (!class->lent_count)
    return 0;
  const uint64_t offset = class->lent[class->lent_first];
  struct mpispec_block *block = mpispec_block_head(arena->segment, offset);
  /* Pair B, acquire: the last user's reads of the payload precede our writes to it. */
  if (atomic_load_explicit(&block->used, memory_order_acquire) || offset > class->last_for_messages)
    return 0;
  atomic_store_explicit(&block->used, 1, memory_order_relaxed);
  class->lent[(class->lent_first + class->lent_count) & (class->lent_room - 1)] = offset;
  class->lent_first = (class->lent_first + 1) & (class->lent_room - 1);
  return offset;
}

/* Like mpispec_arena_allocate for a message, in few instructions. Returns 0 also if more work would
 * find a block of class c. Then the caller calls mpispec_arena_allocate. Owner only. */
static inline __attribute__((always_inline)) uint64_t
mpispec_arena_take(struct mpispec_arena *arena, unsigned c) {
  struct mpispec_block_class *class = &arena->classes[c];
  if (class->free_count) {
    if (class->lent_count == class->lent_room || arena->cold_end)
      return 0;
    const uint64_t offset = class->free[class->free_count - 1];
    if (offset > class->last_for_messages)
      return 0;
    --class->free_count;
    atomic_store_explicit(&mpispec_block_head(arena->segment, offset)->used, 1,
                          memory_order_relaxed);
    class->lent[(class->lent_first + class->lent_count++) & (class->lent_room - 1)] = offset;
    ++arena->lent;
    return offset;
  }
  return mpispec_arena_lend_again(arena, class);
}

/* Returns memory to the system if the arena has grown large and only few blocks have been lent for
 * MPISPEC_ARENA_REST. Owner only. */
void mpispec_arena_trim(struct mpispec_arena *arena);

#endif
