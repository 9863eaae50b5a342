/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The block cache: blocks in which this rank has received messages, and in which it will send its
 * next ones. All functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_BLOCK_CACHE_H
#define MPISPEC_RUNTIME_BLOCK_CACHE_H

#include "progress/tuning.h"
#include "shm/arena.h"
#include "shm/copy.h"
#include "shm/shm.h"

#include <stdint.h>

/* A block in the arena of any rank. */
struct mpispec_block_ref {
  int owner;       /* node rank whose arena it is of */
  uint64_t offset; /* offset of the payload in the owner's segment; 0: no block */
};

static inline unsigned char *mpispec_block_ref_bytes(struct mpispec_block_ref place) {
  return mpispec_shm.segments[place.owner] + place.offset;
}

/* The kept blocks of one size. */
struct mpispec_block_list {
  struct mpispec_block_ref places[MPISPEC_KEPT_BLOCKS]; /* the last one was read last */
  int count;
  unsigned refill_debt; /* blocks sent since the cache last received one; while positive, the next
                   block received is kept */
  int is_used;          /* since the last mpispec_block_cache_trim */
};
extern struct mpispec_block_list mpispec_block_lists[MPISPEC_BLOCK_CLASSES]
    __attribute__((visibility("hidden")));

static inline struct mpispec_block_list *mpispec_block_list_of(int64_t bytes) {
  struct mpispec_block_list *list = &mpispec_block_lists[mpispec_block_class((uint64_t)bytes)];
  list->is_used = 1;
  return list;
}

/* A kept block of the class of so many bytes, or no block. The caller sends in this block or in
 * another one; therefore a block that arrives may be kept. */
static inline struct mpispec_block_ref mpispec_block_cache_get(int64_t bytes) {
  struct mpispec_block_list *list = mpispec_block_list_of(bytes);
  ++list->refill_debt;
  return list->count ? list->places[--list->count] : (struct mpispec_block_ref){0, 0};
}

/* Called if the caller of mpispec_block_cache_get has not sent in a block after all. */
static inline void mpispec_block_cache_miss(int64_t bytes) {
  --mpispec_block_list_of(bytes)->refill_debt;
}

/* Keeps a block that was read to the end, in place of one that was sent. Returns 0 if there is no
 * room. */
int mpispec_block_cache_keep(struct mpispec_block_list *list, struct mpispec_block_ref place);

/* Keeps or returns the block of a message of so many bytes, which was read to the end. */
static inline __attribute__((always_inline)) void
mpispec_block_cache_put(struct mpispec_block_ref place, int64_t bytes) {
  struct mpispec_block_list *list = mpispec_block_list_of(bytes);
  if (list->refill_debt && mpispec_block_cache_keep(list, place))
    return;
  unsigned char *const segment = mpispec_shm.segments[place.owner];
  mpispec_lines_release(segment + place.offset, bytes);
  mpispec_block_release(segment, place.offset);
}

/* Called at intervals by waiting calls: returns the blocks of a size from which none has been taken
 * for a while. */
void mpispec_block_cache_trim(void);

/* Called in MPI_Finalize: empties the cache. */
void mpispec_block_cache_close(void);

#endif
