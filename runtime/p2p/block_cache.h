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
  int owner;       /* node rank in whose arena the block is */
  uint64_t offset; /* offset of the payload in the owner's segment; 0: no block */
};

static inline unsigned char *mpispec_block_ref_bytes(struct mpispec_block_ref place) {
  return mpispec_shm.segments[place.owner] + place.offset;
}

/* The cached blocks of one size class. */
struct mpispec_block_list {
  struct mpispec_block_ref places[MPISPEC_KEPT_BLOCKS]; /* the last one was read most recently */
  int count;
  unsigned refill_debt; /* blocks sent minus blocks cached in their place; a received block is
                           cached only while this number is positive */
  int is_used;          /* nonzero if used since the last mpispec_block_cache_trim */
};
extern struct mpispec_block_list mpispec_block_lists[MPISPEC_BLOCK_CLASSES]
    __attribute__((visibility("hidden")));

static inline struct mpispec_block_list *mpispec_block_list_of(int64_t bytes) {
  struct mpispec_block_list *list = &mpispec_block_lists[mpispec_block_class((uint64_t)bytes)];
  list->is_used = 1;
  return list;
}

/* Takes a cached block of the size class of `bytes`, or returns no block. The caller then sends its
 * message in this block or in another one. Therefore the function adds 1 to refill_debt, so that
 * the cache may keep one more received block. */
static inline struct mpispec_block_ref mpispec_block_cache_get(int64_t bytes) {
  struct mpispec_block_list *list = mpispec_block_list_of(bytes);
  ++list->refill_debt;
  return list->count ? list->places[--list->count] : (struct mpispec_block_ref){0, 0};
}

/* Undoes the increment of refill_debt by mpispec_block_cache_get. Called by a sender that has found
 * no block. */
static inline void mpispec_block_cache_unget(int64_t bytes) {
  --mpispec_block_list_of(bytes)->refill_debt;
}

/* Returns all cached blocks to their owners. Also called in MPI_Finalize, because other ranks may
 * send on. */
void mpispec_block_cache_clear(void);

/* Caches a block that was read to the end, in place of a block that was sent. Returns 0 if the list
 * has no room. */
int mpispec_block_cache_keep(struct mpispec_block_list *list, struct mpispec_block_ref place);

/* Caches a block for messages of `bytes` bytes, or returns it to its arena. This rank has read the
 * first `read` of its bytes. */
static inline __attribute__((always_inline)) void
mpispec_block_cache_put(struct mpispec_block_ref place, int64_t bytes, int64_t read) {
  struct mpispec_block_list *list = mpispec_block_list_of(bytes);
  if (list->refill_debt && mpispec_block_cache_keep(list, place))
    return;
  unsigned char *const segment = mpispec_shm.segments[place.owner];
  mpispec_lines_release(segment + place.offset, read);
  mpispec_block_release(segment, place.offset);
}

/* Called at intervals by calls that wait. Returns all blocks of a size class to their arenas if
 * none was used for a while. */
void mpispec_block_cache_trim(void);

#endif
