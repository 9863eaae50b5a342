/* The lane: the one route for messages from one rank of the node to another. It is a queue of cells
 * without bound, with one writer and one reader. The writer never has to wait for the reader.
 *
 *   home ring, in the reader's segment            extents, in the writer's arena
 *   +---+---+---+-   -+---+------+                +---+---+-   -+------+
 *   | 0 | 1 | 2 | ... |   | link |---to cell 0    |   |   | ... | link |---to the next extent,
 *   +---+---+---+-   -+---+------+    next lap    +---+---+-   -+------+   or back home
 *             |
 *             +-- link: to an extent, when the ring is full
 *
 * Reader and writer each walk cell by cell. A link is a cell like any other and says where the next
 * cell is; so order needs no other rule than that cells are read in the order they were written.
 * The reader writes nothing but a credit, every quarter of the ring, on a line of its own; that the
 * writer looks at only when it has come to its limit.
 *
 * A writer that finds the ring full goes on in an extent at once.
 *
 * A message never straddles a link: the writer puts its link early and marks what it leaves out.
 * An extent is filled once; its reader gives it back to the arena.
 *
 * Memory order pairs:
 *   A  envelope of a cell    release in mpispec_cell_publish, acquire in mpispec_cell_look
 *   B  `used` of a block     see arena.h
 *   C  credit                release in mpispec_lane_advance, acquire in refresh_limit: the reader
 *                            has read the cells before the writer overwrites them */
#ifndef MPISPEC_RUNTIME_LANE_H
#define MPISPEC_RUNTIME_LANE_H

#include "shm/arena.h"
#include "shm/cell.h"

enum {
  MPISPEC_HOME_CELLS = 256,
  MPISPEC_EXTENT_CELLS = 1024,
  MPISPEC_CREDIT_CELLS = MPISPEC_HOME_CELLS / 4
};

/* The reader's only writing: the number of home cells read since the lane was made. */
struct mpispec_credit {
  _Alignas(64) _Atomic uint64_t cells_read;
};
static_assert(sizeof(struct mpispec_credit) == 64, "credits of two lanes never share a line");

/* The writer's private view. */
struct mpispec_outgoing {
  _Alignas(64) struct mpispec_writer end;
  struct mpispec_cell *home;
  const struct mpispec_credit *credit;
  struct mpispec_arena *arena;
  uint64_t home_written;       /* home cells up to where this lap began; while in an extent, up to
                                  the link that left home */
  struct mpispec_cell *extent; /* the extent being filled, or null at home */
  uint64_t home_lap;           /* the lap number to go on with at home */
};

/* The reader's private view. */
struct mpispec_incoming {
  _Alignas(64) struct mpispec_reader end;
  struct mpispec_cell *home;
  struct mpispec_credit *credit;
  unsigned char *writer_segment; /* where extents and blocks of the writer are mapped here */
  uint64_t lap_start;            /* home cells read before cell 0 of this lap */
  uint64_t extent;               /* offset of the extent being read, or 0 at home */
  uint64_t home_lap;
  uint32_t asked_at; /* ticks, when messages were last asked whether they come in a row */
};

void mpispec_outgoing_open(struct mpispec_outgoing *lane, struct mpispec_cell *home,
                           const struct mpispec_credit *credit, struct mpispec_arena *arena);
void mpispec_incoming_open(struct mpispec_incoming *lane, struct mpispec_cell *home,
                           struct mpispec_credit *credit, unsigned char *writer_segment);

/* Slow part of mpispec_lane_reserve. */
struct mpispec_cell *mpispec_lane_make_room(struct mpispec_outgoing *lane, int cells);

/* `cells` cells in a row to fill, or null if the lane and the arena are full. Nothing is taken
 * until the cells are published. At most MPISPEC_CREDIT_CELLS at once. */
static inline struct mpispec_cell *mpispec_lane_reserve(struct mpispec_outgoing *lane, int cells) {
  if (__builtin_expect(lane->end.limit - lane->end.next >= cells, 1))
    return lane->end.next;
  return mpispec_lane_make_room(lane, cells);
}

/* Shows one reserved cell, filled by now, to the reader. */
static inline void mpispec_lane_publish(struct mpispec_outgoing *lane, uint64_t key) {
  mpispec_cell_publish(lane->end.next, lane->end.lap | key);
  ++lane->end.next;
}

/* Follows the link that stands at `next`. */
void mpispec_lane_follow(struct mpispec_incoming *lane);

/* The key of the next message, or MPISPEC_NO_KEY if there is none yet. */
static inline uint64_t mpispec_lane_look(struct mpispec_incoming *lane) {
  for (;;) {
    const uint64_t envelope = mpispec_cell_look(lane->end.next) ^ lane->end.lap;
    if (envelope > MPISPEC_KEY_MASK)
      return MPISPEC_NO_KEY; /* another lap */
    if (__builtin_expect(!(envelope & MPISPEC_OF_MESSAGE), 1))
      return envelope;
    mpispec_lane_follow(lane);
  }
}

void mpispec_lane_give_credit(struct mpispec_incoming *lane);

/* Leaves the message at `next`, which took `cells` cells and was read in full. */
static inline void mpispec_lane_advance(struct mpispec_incoming *lane, int cells) {
  lane->end.next += cells;
  if (__builtin_expect(lane->end.next >= lane->end.end, 0))
    mpispec_lane_give_credit(lane);
}

/* Write a message of `length` bytes into as many reserved cells as it takes, and read it out of
 * them. The `_more` forms leave the payload of the first cell alone: the message begins in the cell
 * after it. When writing, that is the cell now at `next`. */
void mpispec_lane_write(struct mpispec_outgoing *lane, uint64_t key, uint64_t header,
                        const void *bytes, int64_t length);
void mpispec_lane_write_more(struct mpispec_outgoing *lane, const void *bytes, int64_t length);
void mpispec_lane_read(const struct mpispec_incoming *lane, void *bytes, int64_t length);
void mpispec_lane_read_more(const struct mpispec_incoming *lane, void *bytes, int64_t length);

#endif
