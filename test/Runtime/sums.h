/* Sums that depend on the order of their terms, compared with the MPI library's, bit by bit. */
#ifndef MPISPEC_TEST_SUMS_H
#define MPISPEC_TEST_SUMS_H

#include "check.h"

#include <mpi.h>
#include <string.h>

enum { MOST_SUMS = 5000 };

/* The value that `rank` gives to the sums of that number. */
static inline const double *sums_terms(int rank, int number, int count) {
  static double terms[MOST_SUMS];
  for (int k = 0; k < count; ++k)
    terms[k] = (rank + 1) * 0.1 + 1e10 / (k + 3 + rank * rank) + number;
  return terms;
}

/* Allreduce, `times` times. Elements of `type` have 8 bytes. */
static inline void sums_compare(MPI_Comm communicator, int rank, int times, int count,
                                MPI_Datatype type) {
  static double ours[MOST_SUMS], library[MOST_SUMS];
  for (int i = 0; i < times; ++i) {
    const double *terms = sums_terms(rank, i, count);
    MPI_Allreduce(terms, ours, count, type, MPI_SUM, communicator);
    PMPI_Allreduce(terms, library, count, type, MPI_SUM, communicator);
    CHECK(!memcmp(ours, library, (size_t)count * sizeof *ours));
  }
}

/* The same of Scan, of doubles. */
static inline void sums_compare_scan(MPI_Comm communicator, int rank, int times, int count) {
  static double ours[MOST_SUMS], library[MOST_SUMS];
  for (int i = 0; i < times; ++i) {
    const double *terms = sums_terms(rank, i, count);
    MPI_Scan(terms, ours, count, MPI_DOUBLE, MPI_SUM, communicator);
    PMPI_Scan(terms, library, count, MPI_DOUBLE, MPI_SUM, communicator);
    CHECK(!memcmp(ours, library, (size_t)count * sizeof *ours));
  }
}

#endif
