/* Numbers that tell one order of combining from another: what is rounded away differs, or which of
 * two zeros or of two NaNs is left. */
#ifndef MPISPEC_RUNTIME_COLLECTIVE_NUMBERS_H
#define MPISPEC_RUNTIME_COLLECTIVE_NUMBERS_H

#include "collective/reduction.h"

/* Element `place` of the part of `rank` in the given draw, for this reduction's datatype: the same
 * wherever it is asked for. */
void mpispec_number_draw(const struct mpispec_reduction *reduction, int draw, int64_t place,
                         int rank, unsigned char *element);

/* Bit for bit, but for gaps. */
int mpispec_numbers_equal(const struct mpispec_reduction *reduction, const unsigned char *left,
                          const unsigned char *right, int64_t count);

/* Finds out how the reduction's loop has to be used so that it gives what MPI_Reduce_local does,
 * also where it matters which operand is which. If it cannot be, the library's own is taken, or for
 * a sum or product (`is_rounded`) keeps_nans stays 0. */
void mpispec_numbers_match_library(struct mpispec_reduction *reduction, int is_rounded);

#endif
