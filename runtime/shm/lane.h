/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lane: the only route for messages from one rank of the node to another. A lane is a queue of
 * cells with one writer and one reader. Its length is bounded only by the writer's arena, so that
 * the writer need not wait for the reader.
 *
 *   home ring, in the reader's segment            extents, in the writer's arena
 *   +---+---+---+-   -+---+------+                +---+---+-   -+------+
 *   | 0 | 1 | 2 | ... |   | link |---to cell 0    |   |   | ... | link |---to the next extent,
 *   +---+---+---+-   -+---+------+    next lap    +---+---+-   -+------+   or back home
 *             |
 *             +-- link: to an extent, when the ring is full
 *
 * Reader and writer each advance cell by cell. A link is a cell whose header contains the place of
 * the next cell. The reader reads cells in the order in which they were written; therefore messages
 * keep their order.
 *
 * A writer that finds the ring full continues in an extent at once. A writer fills an extent once,
 * and the reader returns it to the arena. A message never continues behind a link. If it does
 * not fit before the end of the ring, the writer stores the link early and marks the skipped cells.
 *
 * The reader writes the credit once in MPISPEC_CREDIT_CELLS cells. It writes to cells only in a
 * stream and in extents, after it has read them (mpispec_lines_release). The credit is on a cache
 * line of its own. The writer reads the credit only when it has filled all cells up to its limit.
 *
 * Memory order pairs:
 *
 *   A  envelope of a cell    release in mpispec_cell_publish, acquire in mpispec_cell_peek
 *   B  `used` of a block     see arena.h
 *   C  credit                release in store_credit, acquire in cells_read (lane.c): the reader
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

/* The credit: the number of home cells that the reader has read since the lane was made. */
struct mpispec_credit {
  _Alignas(64) _Atomic uint64_t cells_read;
};
static_assert(sizeof(struct mpispec_credit) == 64, "credits of two lanes never share a line");

/* The writer's end, in private memory. */
struct mpispec_outgoing {
  _Alignas(64) struct mpispec_writer end;
  struct mpispec_cell *home;
  const struct mpispec_credit *credit;
  struct mpispec_arena *arena;
  uint64_t home_written;       /* at home: home cells written before this lap; in an extent: home
                                  cells written so far, including the link that left home */
  struct mpispec_cell *extent; /* the extent in which the writer is, or null at home */
  uint64_t home_lap;           /* the lap number of the next cell written at home */
};

/* The reader's end, in private memory. */
struct mpispec_incoming {
  _Alignas(64) struct mpispec_reader end;
  struct mpispec_cell *home;
  struct mpispec_credit *credit;
  unsigned char *writer_segment; /* the address of the writer's segment in this process */
  uint64_t lap_start;            /* home cells read before cell 0 of this lap */
  uint64_t extent;               /* offset of the extent in which the reader is, or 0 at home */
  uint64_t home_lap;
  uint32_t last_credit_at; /* time of the last credit or lap, in ticks: gives the message rate */
};

void mpispec_outgoing_open(struct mpispec_outgoing *lane, struct mpispec_cell *home,
                           const struct mpispec_credit *credit, struct mpispec_arena *arena);
void mpispec_incoming_open(struct mpispec_incoming *lane, struct mpispec_cell *home,
                           struct mpispec_credit *credit, unsigned char *writer_segment);

/* The slow path of mpispec_lane_reserve: enters the next lap, an extent, or the home ring. */
struct mpispec_cell *mpispec_lane_make_room(struct mpispec_outgoing *lane, int cells);

/* Returns `cells` consecutive cells to fill, or null if the lane and the arena are full. `cells` is
 * at most MPISPEC_CREDIT_CELLS. The lane does not change before the cells are published, except
 * that links may be written. */
static inline struct mpispec_cell *mpispec_lane_reserve(struct mpispec_outgoing *lane, int cells) {
  if (__builtin_expect(lane->end.limit - lane->end.next >= cells, 1))
    return lane->end.next;
  return mpispec_lane_make_room(lane, cells);
}

/* Publishes one reserved cell to the reader. The caller has filled the rest of the cell. */
static inline void mpispec_lane_publish(struct mpispec_outgoing *lane, uint64_t key) {
  mpispec_cell_publish(lane->end.next, lane->end.lap | key);
  ++lane->end.next;
}

/* Continues at the target of the link at `next`. */
void mpispec_lane_follow(struct mpispec_incoming *lane);

/* Returns the key of the next message, or MPISPEC_NO_KEY if no message has arrived. */
static inline uint64_t mpispec_lane_peek(struct mpispec_incoming *lane) {
  for (;;) {
    const uint64_t envelope = mpispec_cell_peek(lane->end.next) ^ lane->end.lap;
    if (envelope > MPISPEC_KEY_MASK)
      return MPISPEC_NO_KEY; /* another lap */
    if (__builtin_expect(!(envelope & MPISPEC_OF_MESSAGE), 1))
      return envelope;
    mpispec_lane_follow(lane);
  }
}

void mpispec_lane_give_credit(struct mpispec_incoming *lane);

/* Continues behind the message at `next`, which has `cells` cells and has been read completely. */
static inline void mpispec_lane_advance(struct mpispec_incoming *lane, int cells) {
  lane->end.next += cells;
  if (__builtin_expect(lane->end.next >= lane->end.end, 0))
    mpispec_lane_give_credit(lane);
}

/* Write a message of `length` bytes into reserved cells, and read it out of them. The `_more` forms
 * skip the payload of the message's first cell: its bytes begin in the second cell. For the writer,
 * the second cell is the cell at `next`. The functions that read return 0 if the writer's process
 * has ended before it had written all cells. */
void mpispec_lane_write(struct mpispec_outgoing *lane, uint64_t key, uint64_t header,
                        const void *bytes, int64_t length);
void mpispec_lane_write_more(struct mpispec_outgoing *lane, const void *bytes, int64_t length);
int mpispec_lane_read(const struct mpispec_incoming *lane, void *bytes, int64_t length);
int mpispec_lane_read_more(const struct mpispec_incoming *lane, void *bytes, int64_t length);

/* Finds out whether the writer of a lane has ended in the middle of a message (liveness.h). Null
 * until lanes are open. */
struct mpispec_vigil;
extern int (*mpispec_lane_has_ended)(const struct mpispec_incoming *lane,
                                     struct mpispec_vigil *vigil);

#endif
