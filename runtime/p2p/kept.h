/* The block cache: blocks in which this rank has received messages, and in which it will send its
 * next ones. All functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_KEPT_H
#define MPISPEC_RUNTIME_KEPT_H

#include "progress/tuning.h"
#include "shm/arena.h"
#include "shm/copy.h"
#include "shm/shm.h"

#include <stdint.h>

/* A block in the arena of any rank. */
struct mpispec_place {
  int owner;       /* node rank whose arena it is of */
  uint64_t offset; /* offset of the payload in the owner's segment; 0: no block */
};

static inline unsigned char *mpispec_place_bytes(struct mpispec_place place) {
  return mpispec_shm.segments[place.owner] + place.offset;
}

/* The kept blocks of one size. */
struct mpispec_shelf {
  struct mpispec_place places[MPISPEC_KEPT_BLOCKS]; /* the last one was read last */
  int count;
  unsigned due; /* blocks sent since the cache last received one; while positive, the next block
                   received is kept */
  int is_used;  /* since mpispec_kept_rest looked last */
};
extern struct mpispec_shelf mpispec_shelves[MPISPEC_BLOCK_CLASSES]
    __attribute__((visibility("hidden")));

static inline struct mpispec_shelf *mpispec_shelf_of(int64_t bytes) {
  struct mpispec_shelf *shelf = &mpispec_shelves[mpispec_block_class((uint64_t)bytes)];
  shelf->is_used = 1;
  return shelf;
}

/* A kept block of the class of so many bytes, or no block. The caller sends in this block or in
 * another one; therefore a block that arrives may be kept. */
static inline struct mpispec_place mpispec_kept_take(int64_t bytes) {
  struct mpispec_shelf *shelf = mpispec_shelf_of(bytes);
  ++shelf->due;
  return shelf->count ? shelf->places[--shelf->count] : (struct mpispec_place){0, 0};
}

/* Called if the caller of mpispec_kept_take has not sent in a block after all. */
static inline void mpispec_kept_miss(int64_t bytes) { --mpispec_shelf_of(bytes)->due; }

/* Keeps a block that was read to the end, in place of one that was sent. Returns 0 if there is no
 * room. */
int mpispec_kept_keep(struct mpispec_shelf *shelf, struct mpispec_place place);

/* Keeps or returns the block of a message of so many bytes, which was read to the end. */
static inline __attribute__((always_inline)) void mpispec_kept_put(struct mpispec_place place,
                                                                   int64_t bytes) {
  struct mpispec_shelf *shelf = mpispec_shelf_of(bytes);
  if (shelf->due && mpispec_kept_keep(shelf, place))
    return;
  unsigned char *const segment = mpispec_shm.segments[place.owner];
  mpispec_lines_leave(segment + place.offset, bytes);
  mpispec_block_release(segment, place.offset);
}

/* Called at intervals by waiting calls: returns the blocks of a size from which none has been taken
 * for a while. */
void mpispec_kept_rest(void);

/* Called in MPI_Finalize: empties the cache. */
void mpispec_kept_close(void);

#endif
