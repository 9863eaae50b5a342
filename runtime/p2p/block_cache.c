/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blocks that circulate between ranks. See block_cache.h.
 *
 * A rank that has read a block has its lines in the cache of its core, and can write them at once.
 * The owner of the arena would first have to fetch each line from the reader's core. Between
 * distant cores, such a write takes 28 ns per line, and a read takes 5 ns per line (AMD EPYC 7003).
 * Prefetching does not shorten the write. Therefore a rank that sends as much as it receives caches
 * the blocks that it has read. It sends its next messages in them, to any rank. In this way blocks
 * circulate between two ranks, or along a ring of ranks.
 *
 * A block is cached in place of one that was sent. A rank that only receives caches no block. The
 * cache holds at most as many blocks of each size class as were sent, up to a fixed limit. The
 * block that was read most recently is taken first. Blocks of a size class that was not used for a
 * while are returned. Then the owner of their arena can return memory to the system. */
#include "p2p/block_cache.h"

#include "mpispec/machine.h"
#include "p2p/traffic.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "shm/arena.h"
#include "shm/shm.h"

struct mpispec_block_list mpispec_block_lists[MPISPEC_BLOCK_CLASSES];
static uint64_t last_trim; /* ticks */

static int room_of(const struct mpispec_block_list *list) {
  const int64_t room = MPISPEC_KEPT_BYTES >> (list - mpispec_block_lists) >> 6;
  return room < MPISPEC_KEPT_BLOCKS ? (int)room : MPISPEC_KEPT_BLOCKS;
}

int mpispec_block_cache_keep(struct mpispec_block_list *list, struct mpispec_block_ref place) {
  if (list->count >= room_of(list)) {
    list->refill_debt = 0;
    return 0;
  }
  list->places[list->count++] = place;
  mpispec_traffic[place.owner].lends = 1;
  --list->refill_debt;
  return 1;
}

static void release(struct mpispec_block_ref place) {
  mpispec_block_release(mpispec_shm.segments[place.owner], place.offset);
}

static void clear(struct mpispec_block_list *list) {
  while (list->count)
    release(list->places[--list->count]);
  list->refill_debt = 0;
}

void mpispec_block_cache_clear(void) {
  for (unsigned class = 0; class < MPISPEC_BLOCK_CLASSES; ++class)
    clear(&mpispec_block_lists[class]);
}

void mpispec_block_cache_trim(void) {
  const uint64_t now = mpispec_ticks();
  if (now - last_trim < mpispec_ticks_in(MPISPEC_KEPT_REST))
    return;
  last_trim = now;
  for (unsigned class = 0; class < MPISPEC_BLOCK_CLASSES; ++class) {
    if (!mpispec_block_lists[class].is_used)
      clear(&mpispec_block_lists[class]);
    mpispec_block_lists[class].is_used = 0;
  }
}
