/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* rows.c - five-point steps on a grid that is cut into rows. Each rank exchanges a row of N doubles
 * with the rank above and the one below, by MPI_Sendrecv. The rows are short, and latency
 * dominates.
 *
 * With -DOVERLAP nonblocking calls exchange the rows. Meanwhile the interior is computed, and
 * MPI_Testall is called after each of its rows. Therefore a library that works only inside its
 * calls also makes progress.
 *
 *   rows [repetitions] */
#include "kernel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 64
#define STEPS 2000
#endif
enum { up_tag = 1, down_tag = 2 };

/* Rows 1 .. height are this rank's own; 0 and height + 1 are its neighbours', or the boundary. */
static void step_row(double next[restrict][N + 2], double now[restrict][N + 2], int y) {
  for (int x = 1; x <= N; x++)
    next[y][x] = 0.25 * (now[y][x - 1] + now[y][x + 1] + now[y - 1][x] + now[y + 1][x]);
}

#ifdef OVERLAP
enum { HALO_REQUESTS = 4 };

static void exchange_and_step(double next[][N + 2], double now[][N + 2], int height, int above,
                              int below) {
  MPI_Request requests[HALO_REQUESTS];
  int done = 0;
  MPI_Irecv(now[0], N + 2, MPI_DOUBLE, above, down_tag, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(now[height + 1], N + 2, MPI_DOUBLE, below, up_tag, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(now[1], N + 2, MPI_DOUBLE, above, up_tag, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(now[height], N + 2, MPI_DOUBLE, below, down_tag, MPI_COMM_WORLD, &requests[3]);
  for (int y = 2; y < height; y++) {
    step_row(next, now, y);
    if (!done)
      MPI_Testall(HALO_REQUESTS, requests, &done, MPI_STATUSES_IGNORE);
  }
  if (!done)
    MPI_Waitall(HALO_REQUESTS, requests, MPI_STATUSES_IGNORE);
  step_row(next, now, 1);
  if (height > 1)
    step_row(next, now, height);
}
#else
static void exchange_and_step(double next[][N + 2], double now[][N + 2], int height, int above,
                              int below) {
  MPI_Sendrecv(now[1], N + 2, MPI_DOUBLE, above, up_tag, now[height + 1], N + 2, MPI_DOUBLE, below,
               up_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(now[height], N + 2, MPI_DOUBLE, below, down_tag, now[0], N + 2, MPI_DOUBLE, above,
               down_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int y = 1; y <= height; y++)
    step_row(next, now, y);
}
#endif

/* Zero inside, a function of the place on the boundary; `first` is the row before the own ones. */
static void start(double grid[][N + 2], int height, int first) {
  for (int y = 0; y <= height + 1; y++)
    for (int x = 0; x <= N + 1; x++) {
      const int row = first + y, inside = row > 0 && row <= N && x > 0 && x <= N;
      grid[y][x] = inside ? 0.0 : sin(3.0 * (row + 2 * x) / (N + 1));
    }
}

/* Returns whichever of both grids holds the result. */
static double (*run(double (*now)[N + 2], double (*next)[N + 2], int height, int rank, int size))
    [N + 2] {
      const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
      const int below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
      for (int i = 0; i < STEPS; i++) {
        exchange_and_step(next, now, height, above, below);
        double (*done)[N + 2] = next;
        next = now;
        now = done;
      }
      return now;
    }

int main(int argc, char **argv) {
  static double a[N + 2][N + 2], b[N + 2][N + 2], c[N + 2][N + 2], d[N + 2][N + 2];
  int rank, size, right = 1;
  double (*mine)[N + 2] = a, (*serial)[N + 2], sum = 0, total = 0;
  kernel_begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int first = N * rank / size, height = N * (rank + 1) / size - first;
  while (kernel_repeats()) {
    start(a, height, first);
    start(b, height, first);
    kernel_start();
    mine = run(a, b, height, rank, size);
    kernel_stop();
  }
  start(c, N, 0);
  start(d, N, 0);
  serial = run(c, d, N, 0, 1);
  for (int y = 1; y <= height; y++) {
    right &= !memcmp(mine[y], serial[first + y], sizeof *mine);
    for (int x = 1; x <= N; x++)
      sum += mine[y][x];
  }
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return kernel_end(right, "sum: %.6e", total);
}
