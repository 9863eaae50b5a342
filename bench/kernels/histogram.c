/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* histogram.c - counts of many bins, as in the first phase of a parallel sort. Each rank counts its
 * own keys, and MPI_Allreduce adds up arrays of 1 MiB.
 *
 *   histogram [repetitions] */
#include "kernel.h"
#include <stdlib.h>
#include <string.h>

#ifndef BINS
#define BINS 131072
#define STEPS 10
#endif
enum { KEYS = 4096 };

static long counts[BINS], all[BINS], expected[BINS];

/* Key i of a rank in a step. */
static unsigned key(unsigned step, unsigned rank, unsigned i) {
  const unsigned x = (step * 1000003u + rank * 7919u + i) * 2654435761u;
  return (x ^ x >> 15) % BINS;
}

static void count(long *bins, unsigned step, unsigned rank) {
  for (unsigned i = 0; i < KEYS; i++)
    bins[key(step, rank, i)]++;
}

int main(int argc, char **argv) {
  int rank, size;
  double sum = 0;
  kernel_begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  while (kernel_repeats()) {
    memset(counts, 0, sizeof counts);
    kernel_start();
    for (unsigned step = 0; step < STEPS; step++) {
      count(counts, step, (unsigned)rank);
      MPI_Allreduce(counts, all, BINS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
    kernel_stop();
  }
  for (unsigned step = 0; step < STEPS; step++)
    for (unsigned r = 0; r < (unsigned)size; r++)
      count(expected, step, r);
  for (int i = 0; i < BINS; i++)
    sum += (double)(i % 7 + 1) * (double)all[i];
  return kernel_end(!memcmp(all, expected, sizeof all), "sum: %.6e", sum);
}
