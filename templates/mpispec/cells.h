/* cells.h - operations on the cells of a lane, for templates and runtime (contract.h) */
#ifndef MPISPEC_CELLS_H
#define MPISPEC_CELLS_H

#include "contract.h"
#include "machine.h"

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
    mpispec_cell_peek(const struct mpispec_cell *cell) {
  const unsigned long long *word = &cell->envelope;
  return __atomic_load_n(word, mpispec_acquire);
}

/* Has no message come to a lane, as far as its reader has read? One byte tells, the lap. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_lane_is_empty(const struct mpispec_reader *reader) {
  const unsigned long long *word = &reader->next->envelope;
  return mpispec_high_bytes_differ(word, &reader->lap);
}

/* All of a cell behind its envelope, as bytes: what goes on from an earlier cell fills it. Not by
 * the member that stands first there, of which gcc knows that it is shorter, and warns. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned char *
    mpispec_cell_more(struct mpispec_cell *cell) {
  return (unsigned char *)cell + sizeof cell->envelope;
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
