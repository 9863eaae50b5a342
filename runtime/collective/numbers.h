/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers whose reduction gives different results in different orders. The results differ in
 * rounding, or in which of two zeros or two NaNs remains. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_NUMBERS_H
#define MPISPEC_RUNTIME_COLLECTIVE_NUMBERS_H

#include "collective/reduction.h"

/* Writes element `place` of the part of `rank`, for this reduction's datatype. Each `draw` gives
 * other numbers. All ranks compute the same element. */
void mpispec_number_draw(const struct mpispec_reduction *reduction, int draw, int64_t place,
                         int rank, unsigned char *element);

/* Whether two vectors are equal bit by bit, except in the gaps of elements. */
int mpispec_numbers_equal(const struct mpispec_reduction *reduction, const unsigned char *left,
                          const unsigned char *right, int64_t count);

/* Determines how the reduction's loop must be called for the same results as MPI_Reduce_local, even
 * where the order of the two operands matters. If no way gives the same results, a sum or product
 * (`is_rounded`) keeps the loop and gets keeps_nans = 0. Any other reduction then uses the
 * library's function. */
void mpispec_numbers_match_library(struct mpispec_reduction *reduction, int is_rounded);

#endif
