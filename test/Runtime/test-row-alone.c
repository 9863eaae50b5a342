/* When a program counts as one that waits by tests. */
#include "check.h"
#include "progress/test_row.h"

uint64_t mpispec_ticks_rate = 1024; /* as before calibration */

static struct mpispec_test_row row;

/* The number of full rows in `times` calls for `tests` tests each, with `work` ns before each call. */
static int rows_of(int times, unsigned tests, uint64_t work) {
  int rows = 0;
  for (int i = 0; i < times; ++i) {
    for (const uint64_t begin = mpispec_ticks(); mpispec_ticks() - begin < mpispec_ticks_in(work);)
      ;
    rows += mpispec_test_row_is_full(&row, tests) != 0;
  }
  return rows;
}

int main(void) {
  CHECK(rows_of(MPISPEC_TEST_ROW, 1, 0) == 0); /* it is not known when the first row began */
  mpispec_test_row_restart(&row);
  CHECK(rows_of(MPISPEC_TEST_ROW - 1, 1, 0) == 0);
  /* The thread may lose its processor. Then a row is not full. */
  CHECK(rows_of(100 * MPISPEC_TEST_ROW, 1, 0) >= 90);
  CHECK(rows_of(100, MPISPEC_TEST_ROW, 0) >= 90);
  CHECK(rows_of(100, 10 * MPISPEC_TEST_ROW, 0) >= 90);

  /* A program that works between its tests keeps the processor. */
  mpispec_test_row_restart(&row);
  CHECK(rows_of(20 * MPISPEC_TEST_ROW, 1, 2 * MPISPEC_TEST) == 0);
  CHECK(rows_of(20, 2 * MPISPEC_TEST_ROW, 4 * MPISPEC_TEST_ROW * MPISPEC_TEST) == 0);

  /* So does one that has found something: the row begins anew. */
  for (int i = 0; i < 100; ++i) {
    mpispec_test_row_restart(&row);
    CHECK(rows_of(MPISPEC_TEST_ROW - 1, 1, 0) == 0);
  }
  return passed();
}

// RUN: %mpicc %include -I%S %s -o %t
// RUN: timeout 60 %t | FileCheck %s
// CHECK: passed
