/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See way_cell.h. */
#include "p2p/way_cell.h"

#include "progress/tuning.h"

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

static enum mpispec_way other_than(enum mpispec_way way) {
  return way == MPISPEC_WAY_PIPE ? MPISPEC_WAY_SHARED : MPISPEC_WAY_PIPE;
}

/* Grows with the cost of a try. The number is small while the other way has few samples, which may
 * be wrong, or an outdated cost. But each try without a sample doubles it. */
static uint32_t messages_until_try(const struct mpispec_way_cell *cell) {
  enum { MOST_KNOWN = 400, MOST_UNKNOWN = 15, MOST_VAIN = 16 };
  const enum mpispec_way other_way = other_than(cell->used);
  const uint32_t used = cell->cost[cell->used].picoseconds,
                 other = cell->cost[other_way].picoseconds;
  const uint32_t quarters = (other > used ? other - used : 0) / (used / 4 + 1);
  const uint32_t known = MPISPEC_WAY_TRIES * (1 + smaller(quarters, MOST_KNOWN));
  if (!cell->other_is_past && cell->cost[other_way].samples >= MPISPEC_WAY_SAMPLES)
    return known;
  const uint32_t factor = 1 + smaller(quarters, cell->other_is_past ? 0 : MOST_UNKNOWN);
  return smaller(known, MPISPEC_WAY_FIRST_TRIES * factor << smaller(cell->vain_tries, MOST_VAIN));
}

static void use(struct mpispec_way_cell *cell, enum mpispec_way way) {
  cell->used = way;
  cell->highest = 0;
  cell->latest = cell->cost[way].picoseconds;
}

/* Measured costs count as MPISPEC_WAY_SAMPLES samples, so that new samples only correct them. */
void mpispec_way_cell_fill_in(struct mpispec_way_cell *cell, const struct mpispec_way_costs *costs,
                              uint32_t unwritten) {
  *cell = (struct mpispec_way_cell){.unwritten = unwritten};
  for (int way = MPISPEC_WAY_PIPE; way < MPISPEC_WAYS; ++way) {
    cell->cost[way].picoseconds = costs->picoseconds[way];
    cell->cost[way].samples = costs->is_measured ? MPISPEC_WAY_SAMPLES : 0;
  }
  cell->first = (enum mpispec_way)costs->used;
  use(cell, cell->first);
  cell->until_try = messages_until_try(cell);
}

enum mpispec_way mpispec_way_cell_next(struct mpispec_way_cell *cell) {
  if (++cell->since_sample == MPISPEC_WAY_UNSAMPLED)
    use(cell, cell->first);
  const int is_second = cell->try_continues, is_first = !is_second && !--cell->until_try;
  const enum mpispec_way next = is_first || is_second ? other_than(cell->used) : cell->used;
  cell->try_continues = is_first;
  if (is_first) {
    ++cell->vain_tries;
    cell->until_try = messages_until_try(cell);
  }
  return next;
}

/* --- samples -----------------------------------------------------------------------------------*/

/* The cost of a message, plus the cost of reading it afterwards if `unwritten` is not 0. Bytes that
 * came by the pipe are in the cache of the receiver's core, if they fit and were not stored past
 * it. Pulled bytes are in more distant caches. No message's time contains this reading. Its cost is
 * estimated: a program that reads messages most likely writes them, too. Then the cost of pulling
 * exceeds that of buffers that were not written. The additional cost of reading is about twice the
 * excess. It is limited, because bytes in memory make both ways expensive. */
static uint32_t with_reading(const struct mpispec_way_cell *cell, enum mpispec_way way,
                             uint32_t picoseconds) {
  if (way != MPISPEC_WAY_SHARED || picoseconds < cell->unwritten)
    return picoseconds;
  return picoseconds + smaller(2 * (picoseconds - cell->unwritten), cell->unwritten * 3 / 2);
}

/* If the pipe has become much cheaper since the last sample of the other way, the next message
 * tries the other way. */
static void notice_fall(struct mpispec_way_cell *cell) {
  const uint32_t now = cell->cost[cell->used].picoseconds;
  cell->highest = now > cell->highest ? now : cell->highest;
  if (cell->used != MPISPEC_WAY_PIPE || now >= cell->highest - cell->highest / 4)
    return;
  cell->other_is_past = 1;
  cell->until_try = 1;
  cell->highest = now;
}

/* While the cost of the way in use falls, its average is too high. Therefore the last sample must
 * exceed the cost of the other way, too. */
static void reconsider(struct mpispec_way_cell *cell) {
  const enum mpispec_way other = other_than(cell->used);
  const uint32_t cost = cell->cost[other].picoseconds, least = cost + cost / 8;
  if (cell->cost[other].samples >= MPISPEC_WAY_SAMPLES && least < cell->latest &&
      least < cell->cost[cell->used].picoseconds)
    use(cell, other);
}

void mpispec_way_cell_record(struct mpispec_way_cell *cell, enum mpispec_way way,
                             uint32_t picoseconds) {
  if (way != cell->used && cell->try_continues)
    return;
  const uint32_t sample = with_reading(cell, way, picoseconds);
  if (way != cell->used && cell->other_is_past) {
    cell->cost[way].picoseconds = sample + 1;
    cell->other_is_past = 0;
  }
  mpispec_cost_sample(&cell->cost[way], sample,
                      way == cell->used ? MPISPEC_WAY_MEMORY : MPISPEC_WAY_MEMORY_OF_TRIES);
  if (way == cell->used) {
    cell->latest = sample;
    notice_fall(cell);
  } else {
    const int is_cheaper = sample < cell->cost[cell->used].picoseconds / 4 * 3;
    cell->vain_tries = cell->highest = 0;
    cell->until_try = is_cheaper ? MPISPEC_WAY_FIRST_TRIES : messages_until_try(cell);
  }
  reconsider(cell);
}
