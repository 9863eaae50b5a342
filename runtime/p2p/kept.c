/* Blocks that circulate. See kept.h.
 *
 * The rank that has read a block has its lines in its cache, and writes there at the speed of this
 * cache. The owner would have to fetch each line from the reader first. Between distant cores, that
 * takes 28 ns a line, and reading takes 5 ns (AMD EPYC 7003). No prefetch helps. Therefore a rank
 * that sends as much as it receives keeps the blocks that it has read for its next messages, to any
 * rank. Blocks circulate: between two ranks, or along a ring of ranks.
 *
 * A block is kept in place of one that was sent. A rank that only receives returns all blocks. The
 * cache keeps as many blocks of each size as were sent, within bounds. The block that was read last
 * is taken first. Blocks of a size that was not used for a while are returned, so that their owner
 * can return memory.
 */
#include "p2p/kept.h"

#include "mpispec/machine.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "shm/arena.h"
#include "shm/copy.h"
#include "shm/shm.h"

#include <string.h>

struct mpispec_shelf mpispec_shelves[MPISPEC_BLOCK_CLASSES];
static uint64_t looked_at; /* ticks */

static int room_of(const struct mpispec_shelf *shelf) {
  const int64_t room = MPISPEC_KEPT_BYTES >> (shelf - mpispec_shelves) >> 6;
  return room < MPISPEC_KEPT_BLOCKS ? (int)room : MPISPEC_KEPT_BLOCKS;
}

int mpispec_kept_keep(struct mpispec_shelf *shelf, struct mpispec_place place) {
  if (shelf->count >= room_of(shelf)) {
    shelf->due = 0;
    return 0;
  }
  shelf->places[shelf->count++] = place;
  --shelf->due;
  return 1;
}

static void give_back(struct mpispec_place place) {
  mpispec_block_release(mpispec_shm.segments[place.owner], place.offset);
}

static void clear(struct mpispec_shelf *shelf) {
  while (shelf->count)
    give_back(shelf->places[--shelf->count]);
  shelf->due = 0;
}

void mpispec_kept_rest(void) {
  const uint64_t now = mpispec_ticks();
  if (now - looked_at < mpispec_ticks_in(MPISPEC_KEPT_REST))
    return;
  looked_at = now;
  for (unsigned class = 0; class < MPISPEC_BLOCK_CLASSES; ++class) {
    if (!mpispec_shelves[class].is_used)
      clear(&mpispec_shelves[class]);
    mpispec_shelves[class].is_used = 0;
  }
}

void mpispec_kept_close(void) { memset(mpispec_shelves, 0, sizeof mpispec_shelves); }
