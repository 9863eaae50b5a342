/* The arena: the part of a rank's segment from which it lends blocks of memory, for payload that is
 * too long for the cells of a lane.
 *
 * Only the rank whose segment it is, the owner, allocates. It lends a block by writing its offset
 * into a message. The last user, of whichever rank, returns the block: it stores 0 into `used`, in
 * the block's first line, and touches the block no more. The owner finds returned blocks when it
 * allocates. So `used` is the only word of an arena that two ranks write. Offsets count from the
 * start of the segment; 0 means no block.
 *
 *   block   +----------------------+------------------------------ - - -
 *           | line 0: in use       | payload, a multiple of the line
 *           +----------------------+------------------------------ - - -
 */
#ifndef MPISPEC_RUNTIME_ARENA_H
#define MPISPEC_RUNTIME_ARENA_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Has the system map memory at these addresses now. Returns 0 if it refuses; without this call a
 * refusal would come as SIGBUS when the memory is first touched. */
int mpispec_memory_ask(void *memory, uint64_t bytes);

/* Payload bytes of class c: 64 << c, so 64 bytes to 64 MiB. */
enum { MPISPEC_BLOCK_CLASSES = 21, MPISPEC_BLOCK_HEAD = 64 };

/* The class of a block for so many bytes. */
static inline unsigned mpispec_block_class(uint64_t bytes) {
  return bytes <= 64 ? 0 : (63 ^ (unsigned)__builtin_clzll(bytes - 1)) - 5;
}

/* The most that one rank can have under way in its arena. */
#define MPISPEC_ARENA_BYTES (UINT64_C(1) << 30)

/* Memory that mpispec_arena_trim has returned to the system is mapped anew in
 * parts of this size. */
enum { MPISPEC_ARENA_PART = 64 * 1024 };

struct mpispec_block {
  _Atomic uint32_t used;   /* the owner stores 1, the last user 0 (pair B) */
  _Atomic uint64_t filled; /* payload bytes that the sender has copied so far (pair F) */
};

/* The blocks of one size, known to the owner alone: the free ones, a stack, and those lent, a queue
 * with the oldest first. A lent block may have been returned already: `used` tells. */
struct mpispec_block_class {
  uint64_t *free;
  size_t free_count, free_room;
  uint64_t *lent; /* a ring of `lent_room` offsets, a power of two */
  size_t lent_first, lent_count, lent_room;
};

struct mpispec_arena {
  unsigned char *segment; /* where the segment is mapped here */
  uint64_t begin, end;    /* the arena's part of the segment */
  uint64_t top;           /* no block has been lent from here on yet */
  uint64_t backed;        /* memory is mapped up to here, but for cold parts */
  int64_t refused_at;     /* when the system began to refuse memory, in seconds; or 0 */
  size_t lent;            /* blocks in the queues of all classes */
  int64_t busy_at;        /* when trim last saw many of them, in milliseconds */
  uint64_t cold_end;      /* free blocks below here have no memory: trim returned it, */
  uint64_t warmed;        /* except for this many parts that were mapped anew since */
  uint64_t warmed_seen;   /* `warmed` when trim last looked */
  uint64_t warm[MPISPEC_ARENA_BYTES / MPISPEC_ARENA_PART / 64]; /* these parts, a bit each */
  struct mpispec_block_class classes[MPISPEC_BLOCK_CLASSES];
};

void mpispec_arena_open(struct mpispec_arena *arena, unsigned char *segment, uint64_t begin,
                        uint64_t end);

/* Maps the memory of the first blocks, at Init, so that the first messages do not wait for it. */
void mpispec_arena_warm(struct mpispec_arena *arena);
void mpispec_arena_close(struct mpispec_arena *arena);

/* Lends a block with room for `bytes` and returns the offset of its payload, or 0 if the arena is
 * full. While the system refuses memory an arena counts as full; if that lasts longer than
 * MPISPEC_ARENA_TIMEOUT, the process is aborted. Owner only. */
uint64_t mpispec_arena_allocate(struct mpispec_arena *arena, uint64_t bytes);

/* The same, for what can do without the block: a refusal of the system does not count. */
uint64_t mpispec_arena_ask(struct mpispec_arena *arena, uint64_t bytes);

/* How many blocks with room for `bytes` are lent, at most: first takes back those of the oldest
 * MPISPEC_ARENA_SWEEP that were returned. Owner only. */
size_t mpispec_arena_lent(struct mpispec_arena *arena, uint64_t bytes);

static inline struct mpispec_block *mpispec_block_head(unsigned char *segment, uint64_t offset) {
  return (struct mpispec_block *)(segment + offset - MPISPEC_BLOCK_HEAD);
}

/* Returns the block whose payload is at `offset` of the segment mapped at `segment`. Any rank may
 * call it that is the block's last user; it must not touch the block afterwards. */
static inline void mpispec_block_release(unsigned char *segment, uint64_t offset) {
  struct mpispec_block *block = (struct mpispec_block *)(segment + offset - MPISPEC_BLOCK_HEAD);
  /* Pair B, release: our reads of the payload come before the owner writes there again. */
  atomic_store_explicit(&block->used, 0, memory_order_release);
}

/* The block that has been lent for longest, again, if it has been returned; else 0. */
static inline uint64_t mpispec_arena_lend_again(struct mpispec_arena *arena,
                                                struct mpispec_block_class *class) {
  if (!class->lent_count)
    return 0;
  const uint64_t offset = class->lent[class->lent_first];
  struct mpispec_block *block = mpispec_block_head(arena->segment, offset);
  /* Pair B, acquire: what the last user read is read before we write it anew. */
  if (atomic_load_explicit(&block->used, memory_order_acquire))
    return 0;
  atomic_store_explicit(&block->used, 1, memory_order_relaxed);
  class->lent[(class->lent_first + class->lent_count) & (class->lent_room - 1)] = offset;
  class->lent_first = (class->lent_first + 1) & (class->lent_room - 1);
  return offset;
}

/* Like mpispec_arena_allocate, in few steps where a block of the class is at hand. */
static inline __attribute__((always_inline)) uint64_t
mpispec_arena_take(struct mpispec_arena *arena, unsigned c) {
  struct mpispec_block_class *class = &arena->classes[c];
  if (class->free_count) {
    if (class->lent_count == class->lent_room || arena->cold_end)
      return 0;
    const uint64_t offset = class->free[--class->free_count];
    atomic_store_explicit(&mpispec_block_head(arena->segment, offset)->used, 1,
                          memory_order_relaxed);
    class->lent[(class->lent_first + class->lent_count++) & (class->lent_room - 1)] = offset;
    ++arena->lent;
    return offset;
  }
  return mpispec_arena_lend_again(arena, class);
}

/* Returns memory to the system if the arena has grown large and hardly any block has been lent for
 * a while. Owner only. */
void mpispec_arena_trim(struct mpispec_arena *arena);

#endif
