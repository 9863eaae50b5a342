/* Blocks that circulate. See kept.h.
 *
 * Whoever has read a block has its lines, and writes there at the speed of its own cache; whose
 * block it once was would have to take each line back from the reader. Between distant cores that
 * is five times as much as to read them (28 ns a line and 5), and no prefetch makes it less. So a
 * rank that sends as much as it receives keeps what it has read for its own next messages, whomever
 * they go to, and blocks go round: to and fro between two ranks, or along a ring of them.
 *
 * A block is kept in the stead of one that was sent: a rank that only receives gives all back. Of
 * each size as many are kept as were sent, within bounds; the one that was read last is taken
 * first. Blocks of a size that was not used for a while go back, so that their owner's memory can.
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
