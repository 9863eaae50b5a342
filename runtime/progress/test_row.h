/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Detects a program that waits by tests. A program that calls MPI_Test in a loop waits, although
 * none of its calls does. If its rank shares a processor, the rank must yield soon. A program that
 * tests between pieces of work must keep the processor. */
#ifndef MPISPEC_RUNTIME_TEST_ROW_H
#define MPISPEC_RUNTIME_TEST_ROW_H

#include "mpispec/machine.h"
#include "progress/ticks.h"
#include "progress/tuning.h"

/* Tests in vain; initially zeros. */
struct mpispec_test_row {
  unsigned tests;
  uint64_t began; /* in ticks */
};

/* The program has had something else to do, or has lost its processor. */
static inline void mpispec_test_row_restart(struct mpispec_test_row *row) {
  row->tests = 0;
  row->began = mpispec_ticks();
}

/* Counts `tests` more tests in vain. Nonzero in one of MPISPEC_TEST_ROW, if the program has done
 * hardly anything else since the last of these. */
static inline int mpispec_test_row_is_full(struct mpispec_test_row *row, unsigned tests) {
  row->tests += tests;
  if (row->tests < MPISPEC_TEST_ROW)
    return 0;
  const uint64_t before = row->began, limit = mpispec_ticks_in(MPISPEC_TEST) * row->tests;
  mpispec_test_row_restart(row);
  return row->began - before < limit;
}

#endif
