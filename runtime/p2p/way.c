/* Which way is best for a long message depends on the processor, on where the bytes lie, and on
 * whether both ranks have something to copy. A constant that was measured on one machine is wrong
 * on the next one: on an AMD EPYC 7003 a pipe is faster than the system's calls up to 4 MiB, on
 * Intel's Xeon 6 it takes twice as long, unless the bytes have just been written.
 *
 * Therefore the costs are measured. For each peer, size class and direction there is a cell with
 * the cost of each way. It begins with a table by processor family, and follows the messages: one
 * that both ranks wait for tells what its way has cost. One way is in use, the other one is tried
 * now and then, more seldom if it costs much more, so that trying takes less than 1 % of the time.
 * It comes into use when it was tried some times and has cost less by an eighth.
 *
 * What no processor family says is the way of an MPI library that pulls: the shared way is never
 * slower than that. */
#include "p2p/way.h"

#include "job/memory.h"
#include "job/node.h"
#include "mpispec/machine.h"
#include "progress/progress.h"
#include "progress/ticks.h"
#include "progress/tuning.h"

#include <stdlib.h>

/* Class 0 is up to 64 KiB, each further one twice as much, the last one all that is longer. */
enum { CLASSES = 9, FIRST_CLASS_LOG = 16 };

struct cost {
  uint32_t picoseconds; /* a byte, of one message */
  uint16_t samples;     /* none: `picoseconds` is of the table */
  uint16_t outliers;    /* samples left out since the last one that was not */
};

struct cell {
  struct cost cost[MPISPEC_WAYS];
  enum mpispec_way used, planned; /* by this rank's messages from the peer; for the next of them */
  enum mpispec_way heard;         /* planned by the peer, for messages to it */
  uint32_t until_try;             /* messages until the other way is tried */
};

static enum mpispec_way only;            /* the user's choice, if any */
static struct cell (*cells)[CLASSES][2]; /* [node size], by class, one way or both ways */

/* --- the table ---------------------------------------------------------------------------------*/

struct row {
  uint32_t pipe, shared; /* ps a byte */
};

/* One way and both ways, of messages below 4 MiB and above. Best of several runs, buffers neither
 * written before nor read after, two ranks on two cores:
 *   AMD      EPYC 7003 (family 25, model 1), virtual, near cores, November 2026
 *   Intel    Xeon, 2 MiB of second-level cache a core, virtual, November 2026 */
static const struct row amd[2][2] = {{{43, 53}, {81, 108}}, {{65, 80}, {125, 126}}};
static const struct row intel[2][2] = {{{44, 31}, {108, 52}}, {{53, 42}, {141, 84}}};
static const struct row unknown[2][2] = {{{60, 50}, {120, 100}}, {{60, 50}, {120, 100}}};

static const struct row *row_of(int class, int both_ways) {
  const int is_large = class >= 6;
  switch (mpispec_processor_family()) {
  case MPISPEC_AMD_ZEN:
    return &amd[is_large][both_ways];
  case MPISPEC_INTEL:
    return &intel[is_large][both_ways];
  default:
    return &unknown[is_large][both_ways];
  }
}

/* --- cells -------------------------------------------------------------------------------------*/

static int class_of(int64_t bytes) {
  const int class = 64 - __builtin_clzll((uint64_t)(bytes - 1) >> FIRST_CLASS_LOG | 1) -
                    (bytes <= 1 << FIRST_CLASS_LOG);
  return class < CLASSES ? class : CLASSES - 1;
}

static void fill_in(struct cell *cell, int class, int both_ways) {
  const struct row *row = row_of(class, both_ways);
  cell->cost[MPISPEC_WAY_PIPE].picoseconds = row->pipe;
  cell->cost[MPISPEC_WAY_SHARED].picoseconds = row->shared;
  cell->used = row->pipe < row->shared ? MPISPEC_WAY_PIPE : MPISPEC_WAY_SHARED;
  cell->planned = cell->heard = cell->used;
  cell->until_try = MPISPEC_WAY_FIRST_TRIES;
}

static struct cell *cell_of(const struct mpispec_situation *situation) {
  return &cells[situation->peer][class_of(situation->bytes)][situation->both_ways];
}

void mpispec_ways_open(enum mpispec_way always) {
  only = always;
  cells = mpispec_must_have(calloc((size_t)mpispec_node.size, sizeof *cells));
  for (int peer = 0; peer < mpispec_node.size; ++peer)
    for (int class = 0; class < CLASSES; ++class)
      for (int both_ways = 0; both_ways < 2; ++both_ways)
        fill_in(&cells[peer][class][both_ways], class, both_ways);
}

void mpispec_ways_close(void) {
  free(cells);
  cells = NULL;
}

/* --- the choice --------------------------------------------------------------------------------*/

static enum mpispec_way other_than(enum mpispec_way way) {
  return way == MPISPEC_WAY_PIPE ? MPISPEC_WAY_SHARED : MPISPEC_WAY_PIPE;
}

/* Soon, until it is known. Later the dearer a try, the longer. */
static uint32_t messages_until_try(const struct cell *cell) {
  const struct cost *used = &cell->cost[cell->used], *other = &cell->cost[other_than(cell->used)];
  if (other->samples < MPISPEC_WAY_SAMPLES)
    return MPISPEC_WAY_FIRST_TRIES;
  const uint32_t more =
      other->picoseconds > used->picoseconds ? other->picoseconds - used->picoseconds : 0;
  const uint32_t quarters = more / (used->picoseconds / 4 + 1);
  return MPISPEC_WAY_TRIES * (1 + (quarters < 400 ? quarters : 400));
}

/* The way that is not to be questioned, if any. A rank that shares its core must not depend on the
 * other one for each slot. */
static enum mpispec_way settled_way(void) {
  return only ? only : mpispec_progress_is_crowded() ? MPISPEC_WAY_SHARED : MPISPEC_WAY_OPEN;
}

/* A try is of one message: the others under way go the way that is in use. */
enum mpispec_way mpispec_way_choose(const struct mpispec_situation *situation) {
  struct cell *cell = cell_of(situation);
  const enum mpispec_way planned = cell->planned;
  cell->planned = cell->used;
  return settled_way() ? settled_way() : planned;
}

/* Planned ahead and told, since a sender that expects the pipe fills it before the receiver has
 * chosen. */
enum mpispec_way mpispec_way_plan(const struct mpispec_situation *situation) {
  struct cell *cell = cell_of(situation);
  if (settled_way())
    return settled_way();
  cell->planned = cell->used;
  if (!--cell->until_try) {
    cell->until_try = messages_until_try(cell);
    cell->planned = other_than(cell->used);
  }
  return cell->planned;
}

void mpispec_way_hear(const struct mpispec_situation *situation, enum mpispec_way planned) {
  cell_of(situation)->heard = planned;
}

enum mpispec_way mpispec_way_heard(const struct mpispec_situation *situation) {
  return settled_way() ? settled_way() : cell_of(situation)->heard;
}

/* --- what messages tell ------------------------------------------------------------------------*/

/* The first sample says little: its pages are fresh. The second one takes the table's place. After
 * that, one that took several times as long as expected is one in which a rank was away, unless all
 * do; one that took twice as long counts as that: most likely something else was in the way. */
static void take_sample(struct cost *cost, uint32_t sample) {
  const uint32_t known = cost->picoseconds;
  const int is_outlier = cost->samples > 1 && sample > MPISPEC_WAY_OUTLIER * known;
  if (is_outlier && cost->outliers++ < MPISPEC_WAY_OUTLIER)
    return;
  cost->outliers = 0;
  if (cost->samples == 1) {
    cost->picoseconds = sample + 1;
  } else if (cost->samples > 1) {
    const int64_t counted = is_outlier || sample < 2 * known ? sample : 2 * known;
    cost->picoseconds = (uint32_t)(1 + known + (counted - known) / MPISPEC_WAY_MEMORY);
  }
  if (cost->samples < MPISPEC_WAY_SAMPLES)
    ++cost->samples;
}

static void reconsider(struct cell *cell) {
  const struct cost *used = &cell->cost[cell->used], *other = &cell->cost[other_than(cell->used)];
  if (other->samples == MPISPEC_WAY_SAMPLES &&
      other->picoseconds + other->picoseconds / 8 < used->picoseconds)
    cell->used = other_than(cell->used);
}

void mpispec_way_learn(const struct mpispec_situation *situation, enum mpispec_way way,
                       uint64_t ticks) {
  struct cell *cell = cell_of(situation);
  const uint64_t nanoseconds = ticks * 1024 / mpispec_ticks_rate;
  take_sample(&cell->cost[way], (uint32_t)(nanoseconds * 1000 / (uint64_t)situation->bytes));
  reconsider(cell);
}
