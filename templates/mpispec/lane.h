/* lane.h - the lane as templates see it: cells, and what its two ends touch for each message
 *
 * A lane carries the messages from one rank of a node to another in cells of one cache line. This
 * is the part of it that a message needs when nothing is in the way; docs/Runtime.md has the whole.
 *
 *   envelope  lap:8  context:24  tag:32    written last, compared first
 *   header    source:32  kind:4 length:28  kind 0: the bytes are in the cells; so for a message
 *                                          of one cell the lower half is its length in bytes.
 *                                          On MPI_COMM_WORLD the source may be missing: it is the
 *                                          rank at the lane's other end
 *   payload   48 bytes
 *
 * Whatever must not take the short way finds the lane shut: a writer whose next cell is at its
 * limit, a reader that has something queued, whose limit is null. */
#ifndef MPISPEC_LANE_H
#define MPISPEC_LANE_H

#include "bounds.h"
#include "machine.h"

enum { mpispec_lap_shift = 56 };

struct mpispec_cell {
  unsigned long long envelope;
  unsigned long long header;
  unsigned char payload[mpispec_cell_payload];
};

/* The sending end. */
struct mpispec_writer {
  struct mpispec_cell *next;  /* where the next message goes */
  struct mpispec_cell *limit; /* from here on, the runtime must find room */
  unsigned long long lap;     /* in place, to be or-ed to a key */
};

/* The receiving end. */
struct mpispec_reader {
  struct mpispec_cell *next;  /* where the next message will be */
  struct mpispec_cell *limit; /* from here on, the runtime must tell the sender first; null while
                                 receives from this rank or messages of it are queued */
  unsigned long long lap;     /* in place */
};

/* In a loop's body: hides the counter from the compiler, so that options that unroll loops do not
 * write this one out at every call. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_stay_rolled(unsigned int *counter) {
  __asm__("" : "+r"(*counter));
}

/* Memory order pair A: a cell's envelope is written after the rest of the line, and read before. By
 * a pointer of its own, which is aligned: of a member, -fpack-struct makes clang believe it is not.
 */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_cell_publish(struct mpispec_cell *cell, unsigned long long envelope) {
  unsigned long long *word = &cell->envelope;
  __atomic_store_n(word, envelope, mpispec_release);
}

static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long long
    mpispec_cell_look(const struct mpispec_cell *cell) {
  const unsigned long long *word = &cell->envelope;
  return __atomic_load_n(word, mpispec_acquire);
}

/* Asks for the lines of some cells, all at once, to write there: the reader still has those of the
 * last lap, and one after the other each would cost a round trip. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_cells_fetch(const struct mpispec_cell *cell, const struct mpispec_cell *end) {
  for (; cell < end; ++cell) {
    __asm__("" : "+r"(cell)); /* stays rolled */
    mpispec_fetch(cell);
  }
}

/* Cells that a message takes. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) long
mpispec_cells(unsigned long long bytes) {
  return (long)((bytes + 2 * mpispec_more_payload - mpispec_cell_payload - 1) /
                mpispec_more_payload);
}

#endif
