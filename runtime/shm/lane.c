/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lane's slow path: links, laps, extents and credits; and copies into and out of several cells.
 * lane.h contains a drawing and the inline fast path. */
#include "shm/lane.h"

#include "mpispec/machine.h"
#include "mpispec/message.h"
#include "progress/ticks.h"
#include "progress/tuning.h"
#include "shm/arena.h"
#include "shm/copy.h"
#include "shm/liveness.h"

#include <sched.h>
#include <string.h>

static uint64_t in_place(uint64_t lap) { return lap << mpispec_lap_shift | MPISPEC_OF_MESSAGE; }
static uint64_t lap_after(uint64_t lap) { return lap == 255 ? 1 : lap + 1; }

enum { LAST_HOME_CELL = MPISPEC_HOME_CELLS - 1, LAST_EXTENT_CELL = MPISPEC_EXTENT_CELLS - 1 };

/* The number of cells of an extent that the writer fills before it tests again whether home is
 * empty. */
enum { EXTENT_STEP = MPISPEC_CREDIT_CELLS };

/* The header of a link is the offset of the extent, or this constant. */
static const uint64_t link_home = 0;

/* --- the writer --------------------------------------------------------------------------------*/

void mpispec_outgoing_open(struct mpispec_outgoing *lane, struct mpispec_cell *home,
                           const struct mpispec_credit *credit, struct mpispec_arena *arena) {
  memset(lane, 0, sizeof *lane);
  lane->end.next = lane->end.limit = lane->home = home; /* the first reserve finds the limit */
  lane->credit = credit;
  lane->arena = arena;
  lane->home_lap = 1;
  lane->end.lap = in_place(1);
}

static uint64_t cells_read(const struct mpispec_outgoing *lane) {
  /* Pair C, acquire: the reader's loads of these cells precede our next stores to them. */
  return atomic_load_explicit(&lane->credit->cells_read, memory_order_acquire);
}

/* At home: the cells written before `next`. */
static uint64_t position_of(const struct mpispec_outgoing *lane) {
  return lane->home_written + (uint64_t)(lane->end.next - lane->home);
}

/* At home: sets the limit to the cells that the credit permits, without one cell, which is reserved
 * for a link. */
static void refresh_limit(struct mpispec_outgoing *lane) {
  const uint64_t free = MPISPEC_HOME_CELLS - (position_of(lane) - cells_read(lane));
  const uint64_t to_end = (uint64_t)(lane->home + LAST_HOME_CELL - lane->end.next);
  const uint64_t usable = free ? free - 1 : 0;
  lane->end.limit = lane->end.next + (usable < to_end ? usable : to_end);
}

static void put_link(struct mpispec_outgoing *lane, uint64_t target) {
  struct mpispec_cell *cell = lane->end.next++;
  cell->header = target;
  mpispec_cell_publish(cell, lane->end.lap ^ MPISPEC_OF_MESSAGE);
}

/* Continues at cell 0 with a new lap. The skipped cells get the lap that ends here. Otherwise they
 * would keep older laps, and a lap of 255 laps ago equals a new one. */
static void wrap(struct mpispec_outgoing *lane) {
  struct mpispec_cell *end = lane->home + MPISPEC_HOME_CELLS;
  for (struct mpispec_cell *cell = lane->end.next + 1; cell < end; ++cell)
    __atomic_store_n(&cell->envelope, lane->end.lap ^ MPISPEC_OF_MESSAGE, __ATOMIC_RELAXED);
  put_link(lane, link_home);
  lane->home_written += MPISPEC_HOME_CELLS;
  lane->home_lap = lap_after(lane->home_lap);
  lane->end.lap = in_place(lane->home_lap);
  lane->end.next = lane->home;
  refresh_limit(lane);
}

/* Returns nonzero if home has room for `cells` consecutive cells. Wraps if that is necessary. */
static int make_room_at_home(struct mpispec_outgoing *lane, int cells) {
  mpispec_arena_trim(lane->arena);
  refresh_limit(lane);
  if (lane->end.limit - lane->end.next >= cells)
    return 1;
  if (lane->home + LAST_HOME_CELL - lane->end.next >= cells)
    return 0; /* the ring has room, but the credit is too small */
  /* A wrap is possible if the skipped cells, the link and the message fit the credit. */
  const uint64_t after = lane->home_written + MPISPEC_HOME_CELLS;
  if (after + (uint64_t)cells + 1 > cells_read(lane) + MPISPEC_HOME_CELLS)
    return 0;
  wrap(lane);
  return lane->end.limit - lane->end.next >= cells;
}

/* Nonzero if the reader has read all cells of home, including the link to the extent. */
static int home_is_empty(const struct mpispec_outgoing *lane) {
  return cells_read(lane) == lane->home_written;
}

/* Returns from the extent to home, to the cell behind the link to the extent. */
static void return_home(struct mpispec_outgoing *lane) {
  put_link(lane, link_home);
  const uint64_t index = lane->home_written % MPISPEC_HOME_CELLS;
  lane->home_written -= index;
  lane->end.next = lane->home + index;
  lane->end.lap = in_place(lane->home_lap);
  lane->extent = NULL;
  refresh_limit(lane);
}

/* Goes to a fresh extent, from home or from another extent. */
static int enter_extent(struct mpispec_outgoing *lane) {
  const uint64_t offset = mpispec_arena_allocate(
      lane->arena, (uint64_t)MPISPEC_EXTENT_CELLS * MPISPEC_CELL_BYTES, MPISPEC_ARENA_CELLS);
  if (!offset)
    return 0;
  struct mpispec_cell *cells = (struct mpispec_cell *)(lane->arena->segment + offset);
  for (int i = 0; i < MPISPEC_EXTENT_CELLS; ++i)
    __atomic_store_n(&cells[i].envelope, 0, __ATOMIC_RELAXED);
  put_link(lane, offset);
  if (!lane->extent) {
    lane->home_written += (uint64_t)(lane->end.next - lane->home);
    if (lane->home_written % MPISPEC_HOME_CELLS == 0) /* the link took the last cell */
      lane->home_lap = lap_after(lane->home_lap);
  }
  lane->extent = lane->end.next = cells;
  lane->end.lap = in_place(1);
  lane->end.limit = cells + EXTENT_STEP;
  return 1;
}

static int make_room_in_extent(struct mpispec_outgoing *lane, int cells) {
  if (home_is_empty(lane)) {
    return_home(lane);
    return lane->end.limit - lane->end.next >= cells || make_room_at_home(lane, cells);
  }
  struct mpispec_cell *last = lane->extent + LAST_EXTENT_CELL;
  if (last - lane->end.next < cells)
    return enter_extent(lane);
  lane->end.limit = last - lane->end.next < EXTENT_STEP ? last : lane->end.next + EXTENT_STEP;
  return 1;
}

static int make_room(struct mpispec_outgoing *lane, int cells) {
  if (lane->extent)
    return make_room_in_extent(lane, cells);
  return make_room_at_home(lane, cells) || enter_extent(lane);
}

struct mpispec_cell *mpispec_lane_make_room(struct mpispec_outgoing *lane, int cells) {
  assert(cells <= MPISPEC_CREDIT_CELLS);
  return make_room(lane, cells) ? lane->end.next : NULL;
}

/* --- the reader --------------------------------------------------------------------------------*/

/* A reader that is closed stays closed (p2p/matching.h). */
static void set_limit(struct mpispec_incoming *lane, struct mpispec_cell *limit) {
  lane->end.end = limit;
  if (lane->end.limit)
    lane->end.limit = limit;
}

static struct mpispec_cell *never(void) { return (struct mpispec_cell *)(UINTPTR_MAX / 128 * 64); }

void mpispec_incoming_open(struct mpispec_incoming *lane, struct mpispec_cell *home,
                           struct mpispec_credit *credit, unsigned char *writer_segment) {
  memset(lane, 0, sizeof *lane);
  lane->end.next = lane->home = home;
  lane->credit = credit;
  lane->writer_segment = writer_segment;
  lane->end.limit = lane->end.end = home + MPISPEC_CREDIT_CELLS;
  lane->home_lap = 1;
  lane->end.lap = in_place(1);
}

static void store_credit(struct mpispec_incoming *lane, uint64_t read) {
  /* Pair C, release: our loads of those cells precede this store. */
  atomic_store_explicit(&lane->credit->cells_read, read, memory_order_release);
}

static void credit(struct mpispec_incoming *lane) {
  store_credit(lane, lane->lap_start + (uint64_t)(lane->end.next - lane->home));
  set_limit(lane, lane->end.next + MPISPEC_CREDIT_CELLS);
}

/* Releases the home cells that were read since the last credit to the writer. */
static void release_lines(struct mpispec_incoming *lane) {
  struct mpispec_cell *first = lane->end.end - MPISPEC_CREDIT_CELLS;
  mpispec_lines_release(mpispec_cell_more(first), (lane->end.next - first) * MPISPEC_CELL_BYTES);
}

static __attribute__((noinline)) void release_and_credit(struct mpispec_incoming *lane) {
  release_lines(lane);
  credit(lane);
}

/* Nonzero if messages have arrived in a stream since the last call. */
static int is_streaming(struct mpispec_incoming *lane) {
  const uint32_t before = lane->last_credit_at;
  lane->last_credit_at = (uint32_t)mpispec_ticks();
  return lane->last_credit_at - before <
         mpispec_ticks_in(MPISPEC_STREAM_GAP * MPISPEC_CREDIT_CELLS);
}

void mpispec_lane_give_credit(struct mpispec_incoming *lane) {
  if (__builtin_expect(is_streaming(lane), 0))
    release_and_credit(lane);
  else
    credit(lane);
}

static void start_lap(struct mpispec_incoming *lane) {
  lane->lap_start += MPISPEC_HOME_CELLS;
  lane->home_lap = lap_after(lane->home_lap);
}

/* Continues at cell `index` of home. */
static void enter_home(struct mpispec_incoming *lane, uint64_t index) {
  lane->end.next = lane->home + index;
  lane->end.lap = in_place(lane->home_lap);
  set_limit(lane, lane->end.next + MPISPEC_CREDIT_CELLS);
}

/* The number of home cells that were read when the reader left home: the value of its credit. */
static uint64_t home_read(const struct mpispec_incoming *lane) {
  return atomic_load_explicit(&lane->credit->cells_read, memory_order_relaxed);
}

void mpispec_lane_follow(struct mpispec_incoming *lane) {
  const uint64_t target = lane->end.next->header;
  const uint64_t left = lane->extent;
  if (!left && target == link_home) { /* a wrap */
    if (is_streaming(lane))
      release_lines(lane);
    start_lap(lane);
    enter_home(lane, 0);
    return;
  }
  if (!left) { /* leaves home: the writer needs this credit to return there */
    const uint64_t read = lane->lap_start + (uint64_t)(lane->end.next + 1 - lane->home);
    if (read % MPISPEC_HOME_CELLS == 0)
      start_lap(lane);
    store_credit(lane, read);
  }
  lane->extent = target;
  if (target == link_home) {
    enter_home(lane, home_read(lane) % MPISPEC_HOME_CELLS);
  } else {
    lane->end.next = (struct mpispec_cell *)(lane->writer_segment + target);
    lane->end.lap = in_place(1);
    set_limit(lane, never());
  }
  if (left) {
    mpispec_lines_release(lane->writer_segment + left, MPISPEC_EXTENT_CELLS * MPISPEC_CELL_BYTES);
    mpispec_block_release(lane->writer_segment, left);
  }
}

/* --- copying -----------------------------------------------------------------------------------*/

void mpispec_lane_write_more(struct mpispec_outgoing *lane, const void *bytes, int64_t length) {
  lane->end.next = mpispec_fill_more(lane->end.next, lane->end.lap, bytes, (uint64_t)length);
}

void mpispec_lane_write(struct mpispec_outgoing *lane, uint64_t key, uint64_t header,
                        const void *bytes, int64_t length) {
  if (length > mpispec_cell_payload) {
    mpispec_put_cells(&lane->end, key, header, bytes, (uint64_t)length);
    return;
  }
  lane->end.next->header = header;
  if (length) /* else `bytes` may well be null */
    memcpy(lane->end.next->payload, bytes, (size_t)length);
  mpispec_lane_publish(lane, key);
}

int (*mpispec_lane_has_ended)(const struct mpispec_incoming *lane, struct mpispec_vigil *vigil);

/* Waits for a further cell of a message that its writer has begun. The cell arrives soon, unless
 * the writer has lost its core. Returns 0 if the writer has ended. */
static int await(const struct mpispec_incoming *lane, const struct mpispec_cell *cell) {
  struct mpispec_vigil vigil = {0};
  int has_ended = 0;
  for (unsigned spins = 1; mpispec_cell_peek(cell) != lane->end.lap; ++spins) {
    if (has_ended)
      return 0;
    if (spins > MPISPEC_SPINS)
      sched_yield();
    if (spins % MPISPEC_SPINS == 0 && mpispec_lane_has_ended)
      has_ended = mpispec_lane_has_ended(lane, &vigil);
  }
  return 1;
}

int mpispec_lane_read_more(const struct mpispec_incoming *lane, void *bytes, int64_t length) {
  unsigned char *to = bytes;
  struct mpispec_cell *cell = lane->end.next + 1;
  for (; length > 0; length -= mpispec_more_payload, to += mpispec_more_payload, ++cell) {
    if (!await(lane, cell))
      return 0;
    if (length >= mpispec_more_payload)
      memcpy(to, mpispec_cell_more(cell), mpispec_more_payload);
    else
      memcpy(to, mpispec_cell_more(cell), (size_t)length);
  }
  return 1;
}

int mpispec_lane_read(const struct mpispec_incoming *lane, void *bytes, int64_t length) {
  if (length <= mpispec_cell_payload) {
    if (length)
      memcpy(bytes, lane->end.next->payload, (size_t)length);
    return 1;
  }
  memcpy(bytes, lane->end.next->payload, mpispec_cell_payload);
  return mpispec_lane_read_more(lane, (unsigned char *)bytes + mpispec_cell_payload,
                                length - mpispec_cell_payload);
}
