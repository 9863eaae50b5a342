/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* steps.h - operations on slots, for templates and runtime (contract.h)
 *
 * A slot is the memory in which one rank shows its data to the other members of a communicator on
 * its node. A collective operation consists of steps, which are numbered consecutively. In step s,
 * a member that has something to show fills cell s % mpispec_slot_cells. Then the member stores the
 * word of step s in this cell. Members that need the part wait for this word. docs/Runtime.md has
 * the whole protocol.
 *
 * The word is s plus the signatures (signature.h) of all operations that the writer has begun on
 * the communicator, including the present one. Therefore one comparison tests two conditions: the
 * part is there, and its writer has been in the same operations. */
#ifndef MPISPEC_STEPS_H
#define MPISPEC_STEPS_H

#include "contract.h"
#include "machine.h"
#include "signature.h"

static __inline__ __attribute__((__always_inline__, __unused__,
                                 __no_instrument_function__)) struct mpispec_slot_cell *
mpispec_steps_cell(const struct mpispec_steps *steps, struct mpispec_slot *slot) {
  return &slot->cells[steps->step % mpispec_slot_cells];
}

/* The word of this step in an operation with this signature. `signature` is 0 if the history
 * already contains it. */
static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long long
    mpispec_steps_word(const struct mpispec_steps *steps, unsigned long long signature) {
  return steps->step + steps->history + signature;
}

/* Prefetches this rank's cell of a later step, for writing. Between far cores, a rank that is ahead
 * of its readers would wait for each line: MPI_Bcast of 8 B takes 0.048 us with this distance and
 * 0.090 without (AMD EPYC, family 25 model 1). Where ranks exchange data or the root moves, it
 * costs time. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_steps_fetch_own(const struct mpispec_steps *steps) {
  enum { steps_ahead = 3 };
  mpispec_prefetch(&steps->own->cells[(steps->step + steps_ahead) % mpispec_slot_cells]);
}

/* Memory order pair S: a cell's word is written after the rest of the line (and the chunk,
 * collective/slot.h), and read before it. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_slot_cell_show(struct mpispec_slot_cell *cell, unsigned long long word,
                       unsigned long long length) {
  unsigned long long *at = &cell->word; /* an aligned pointer, see mpispec_cell_publish */
  cell->length = length;
  __atomic_store_n(at, word, mpispec_release);
}

static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long long
    mpispec_slot_cell_peek(const struct mpispec_slot_cell *cell) {
  const unsigned long long *at = &cell->word;
  return __atomic_load_n(at, mpispec_acquire);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_slot_cell_is_shown(const struct mpispec_slot_cell *cell, unsigned long long word) {
  return mpispec_slot_cell_peek(cell) == word;
}

/* Memory order pair E: this rank's reads precede the next writes of others. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_slot_publish_completed(struct mpispec_slot *slot, unsigned long long completed) {
  unsigned long long *word = &slot->completed;
  __atomic_store_n(word, completed, mpispec_release);
}

static __inline__
    __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long long
    mpispec_slot_completed(const struct mpispec_slot *slot) {
  const unsigned long long *word = &slot->completed;
  return __atomic_load_n(word, mpispec_acquire);
}

/* Leaves a step after its parts are read. The rank publishes the number of completed steps only in
 * some steps, because others read it only when they are far ahead. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
mpispec_steps_end(struct mpispec_steps *steps, int publishes) {
  const unsigned long long completed = ++steps->step;
  if (publishes || completed % mpispec_slot_publish_every == 0)
    mpispec_slot_publish_completed(steps->own, completed);
}

#endif
