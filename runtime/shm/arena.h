/* The arena: blocks of one rank's segment that hold what lanes cannot.
 *
 * A rank allocates only from its own arena, other ranks only read there and give back: a block is
 * freed by whoever used it last, with one store into its first line, and the owner finds that later
 * by itself. Offsets count from the start of the segment; 0 is no block.
 *
 *   block   +----------------------+------------------------------ - - -
 *           | line 0: in use, class| payload, a multiple of the line
 *           +----------------------+------------------------------ - - -
 */
#ifndef MPISPEC_RUNTIME_ARENA_H
#define MPISPEC_RUNTIME_ARENA_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Has the system give the memory behind these addresses now, so that a refusal is an answer; at the
 * first touch it would be a signal. Returns 0 if it refuses. */
int mpispec_memory_ask(void *memory, uint64_t bytes);

/* Payload bytes of class c: 64 << c, so 64 bytes to 64 MiB. */
enum { MPISPEC_BLOCK_CLASSES = 21, MPISPEC_BLOCK_HEAD = 64 };

/* The most that one rank can have under way in its arena. */
#define MPISPEC_ARENA_BYTES (UINT64_C(1) << 30)

/* The parts by which memory that went back is asked for. */
enum { MPISPEC_ARENA_PART = 64 * 1024 };

struct mpispec_block {
  _Atomic uint32_t used; /* 1 by the owner, 0 by the last user (pair B) */
  uint32_t class;
  _Atomic uint64_t filled; /* bytes of a message that its writer has copied so far (pair F) */
};

/* Private to the owner: what of a class is free, and what was handed out, oldest first. */
struct mpispec_block_class {
  uint64_t *free;
  size_t free_count, free_room;
  uint64_t *lent; /* a ring of room `lent_room`, a power of two */
  size_t lent_first, lent_count, lent_room;
};

struct mpispec_arena {
  unsigned char *segment; /* where the segment is mapped here */
  uint64_t begin, end;    /* the arena's part of the segment */
  uint64_t top;           /* never handed out from here on */
  uint64_t backed;        /* the system has given memory up to here */
  int64_t refused_at;     /* seconds when it began to refuse more, or 0 */
  size_t lent;            /* blocks handed out, whether or not already given back */
  int64_t busy_at;        /* milliseconds when trim last saw many of them */
  uint64_t cold_end;      /* free blocks up to here have no memory, */
  uint64_t warmed;        /* but for so many parts, */
  uint64_t warmed_seen;   /* of which trim has seen so many: */
  uint64_t warm[MPISPEC_ARENA_BYTES / MPISPEC_ARENA_PART / 64]; /* a bit each */
  struct mpispec_block_class classes[MPISPEC_BLOCK_CLASSES];
};

void mpispec_arena_open(struct mpispec_arena *arena, unsigned char *segment, uint64_t begin,
                        uint64_t end);

/* Asks the system for the memory that the first messages need; later they ask themselves. */
void mpispec_arena_warm(struct mpispec_arena *arena);
void mpispec_arena_close(struct mpispec_arena *arena);

/* Offset of the payload of a block with room for `bytes`, or 0 when the arena is full. Owner only.
 * An arena is also full while the system refuses memory; when that lasts, the process is ended. */
uint64_t mpispec_arena_allocate(struct mpispec_arena *arena, uint64_t bytes);

/* How many blocks of that size are lent now, among those looked at first. Owner only. */
size_t mpispec_arena_lent(struct mpispec_arena *arena, uint64_t bytes);

static inline struct mpispec_block *mpispec_block_head(unsigned char *segment, uint64_t offset) {
  return (struct mpispec_block *)(segment + offset - MPISPEC_BLOCK_HEAD);
}

/* Ends the use of the block whose payload is at `offset` of the segment mapped at `segment`.
 * Any rank; nothing of the block may be touched after. */
static inline void mpispec_block_release(unsigned char *segment, uint64_t offset) {
  struct mpispec_block *block = (struct mpispec_block *)(segment + offset - MPISPEC_BLOCK_HEAD);
  /* Pair B, release: our reads of the payload come before the owner writes there again. */
  atomic_store_explicit(&block->used, 0, memory_order_release);
}

/* Gives memory back to the system when hardly anything is lent, if it is much. Owner only. */
void mpispec_arena_trim(struct mpispec_arena *arena);

#endif
