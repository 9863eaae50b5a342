/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cells.h - operations on the cells of a lane, for templates and runtime (contract.h) */
#ifndef MPISPEC_CELLS_H
#define MPISPEC_CELLS_H

#include "contract.h"
#include "machine.h"

/* Called in the body of a loop. Hides the counter from the compiler, so that no option unrolls the
 * loop at every call. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_stay_rolled(unsigned int *counter) {
  __asm__("" : "+r"(*counter));
}

/* Memory order pair A (shm/lane.h): a cell's envelope is written after the rest of the line, and
 * read before it. The pointer `word` has an aligned type. With -fpack-struct, clang assumes that a
 * member of a struct is not aligned. */
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

/* Nonzero if the reader has read all messages of the lane. Only the lap is compared: one byte. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_lane_is_empty(const struct mpispec_reader *reader) {
  const unsigned long long *word = &reader->next->envelope;
  return mpispec_high_bytes_differ(word, &reader->lap);
}

/* The bytes of a cell behind its envelope: the payload of each cell of a message but the first. The
 * address is computed from the cell and not from its member `header`, because gcc would warn that
 * `header` is shorter. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned char *
    mpispec_cell_more(struct mpispec_cell *cell) {
  return (unsigned char *)cell + sizeof cell->envelope;
}

/* Prefetches the lines of some cells for writing, all at once. The reader's cache has held these
 * lines since the last lap. Without the prefetch, stores would fetch one line after the other, each
 * in a round trip. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_cells_prefetch(const struct mpispec_cell *cell, const struct mpispec_cell *end) {
  for (; cell < end; ++cell) {
    __asm__("" : "+r"(cell)); /* stays rolled */
    mpispec_prefetch(cell);
  }
}

/* Cells that a message takes. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) long
mpispec_cells(unsigned long long bytes) {
  return (long)((bytes + 2 * mpispec_more_payload - mpispec_cell_payload - 1) /
                mpispec_more_payload);
}

#endif
