/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* halo.c - the halo exchange of bench/halo with a clock: five-point steps on a grid so small that
 * latency dominates. Two ranks lie side by side and exchange columns, as a derived datatype.
 *
 *   halo [repetitions] */
#include "grid.h"
#include "kernel.h"
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 64
#define STEPS 1000
#endif

/* Solved again as one block, every point must be the same bit for bit. */
static int verify(const double *whole) {
  struct grid serial;
  int same = 1;
  grid_make(&serial, N, 0, 1);
  for (int step = 0; step < STEPS; step++)
    grid_step(&serial);
  for (int y = 0; y < N; y++)
    same &= !memcmp(&whole[(size_t)y * N], &serial.now[at(&serial, 1, y + 1)], N * sizeof *whole);
  grid_free(&serial);
  return same;
}

int main(int argc, char **argv) {
  int rank, size;
  struct grid g;
  kernel_begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  grid_make(&g, N, rank, size);
  double *whole = malloc(sizeof *whole * N * N);
  while (kernel_repeats()) {
    grid_start(&g);
    kernel_start();
    for (int step = 0; step < STEPS; step++) {
      exchange(&g);
      grid_step(&g);
    }
    kernel_stop();
  }
  gather(&g, whole);
  const int right = rank != 0 || verify(whole);
  const double middle = whole[N / 2 * N + N / 2];
  free(whole);
  grid_free(&g);
  return kernel_end(right, "middle: %.6e", middle);
}
