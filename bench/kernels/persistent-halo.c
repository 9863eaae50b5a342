/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* persistent-halo.c - five-point steps on a grid cut into rows. Persistent requests exchange the
 * halo: a set for each of the two grids, started in every other step. The rows that need no halo
 * are computed while the halo is exchanged.
 *
 *   persistent-halo [repetitions] */
#include "kernel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 64
#define STEPS 2000
#endif
enum { up_tag = 1, down_tag = 2, ROW_REQUESTS = 4 };

/* A grid and what exchanges its halo. Rows 1 .. height are this rank's own; 0 and height + 1 are
 * its neighbours', or the boundary. */
struct rows {
  double (*at)[N + 2];
  MPI_Request requests[ROW_REQUESTS];
};

static void rows_make(struct rows *rows, int height, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  rows->at = calloc((size_t)height + 2, sizeof *rows->at);
  if (!rows->at)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Recv_init(rows->at[0], N + 2, MPI_DOUBLE, above, down_tag, comm, &rows->requests[0]);
  MPI_Recv_init(rows->at[height + 1], N + 2, MPI_DOUBLE, below, up_tag, comm, &rows->requests[1]);
  MPI_Send_init(rows->at[1], N + 2, MPI_DOUBLE, above, up_tag, comm, &rows->requests[2]);
  MPI_Send_init(rows->at[height], N + 2, MPI_DOUBLE, below, down_tag, comm, &rows->requests[3]);
}

static void rows_free(struct rows *rows) {
  for (int i = 0; i < ROW_REQUESTS; i++)
    MPI_Request_free(&rows->requests[i]);
  free(rows->at);
}

/* Zero inside, a function of the place on the boundary; `first` is the row before the own ones. */
static void rows_start(struct rows *rows, int height, int first) {
  for (int y = 0; y <= height + 1; y++)
    for (int x = 0; x <= N + 1; x++) {
      const int row = first + y, inside = row > 0 && row <= N && x > 0 && x <= N;
      rows->at[y][x] = inside ? 0.0 : cos(2.0 * (2 * row + x) / (N + 1));
    }
}

static void step(double next[restrict][N + 2], double now[restrict][N + 2], int from, int to) {
  for (int y = from; y <= to; y++)
    for (int x = 1; x <= N; x++)
      next[y][x] = 0.25 * (now[y][x - 1] + now[y][x + 1] + now[y - 1][x] + now[y + 1][x]);
}

/* The result is in grids[STEPS % 2]. */
static void run(struct rows grids[2], int height) {
  for (int i = 0; i < STEPS; i++) {
    struct rows *now = &grids[i % 2], *next = &grids[(i + 1) % 2];
    MPI_Startall(ROW_REQUESTS, now->requests);
    step(next->at, now->at, 2, height - 1);
    MPI_Waitall(ROW_REQUESTS, now->requests, MPI_STATUSES_IGNORE);
    step(next->at, now->at, 1, 1);
    if (height > 1)
      step(next->at, now->at, height, height);
  }
}

static void solve(struct rows grids[2], int height, int first, MPI_Comm comm) {
  for (int i = 0; i < 2; i++) {
    rows_make(&grids[i], height, comm);
    rows_start(&grids[i], height, first);
  }
  run(grids, height);
}

/* The same as one block, alone: every point must be the same bit for bit. */
static int verify(double mine[][N + 2], int height, int first) {
  struct rows serial[2];
  int same = 1;
  solve(serial, N, 0, MPI_COMM_SELF);
  for (int y = 1; y <= height; y++)
    same &= !memcmp(&mine[y][1], &serial[STEPS % 2].at[first + y][1], N * sizeof **mine);
  rows_free(&serial[0]);
  rows_free(&serial[1]);
  return same;
}

int main(int argc, char **argv) {
  struct rows grids[2];
  int rank, size;
  double sum = 0, total = 0;
  kernel_begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int first = N * rank / size, height = N * (rank + 1) / size - first;
  rows_make(&grids[0], height, MPI_COMM_WORLD);
  rows_make(&grids[1], height, MPI_COMM_WORLD);
  while (kernel_repeats()) {
    rows_start(&grids[0], height, first);
    rows_start(&grids[1], height, first);
    kernel_start();
    run(grids, height);
    kernel_stop();
  }
  double (*mine)[N + 2] = grids[STEPS % 2].at;
  const int right = verify(mine, height, first);
  for (int y = 1; y <= height; y++)
    for (int x = 1; x <= N; x++)
      sum += mine[y][x];
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  rows_free(&grids[0]);
  rows_free(&grids[1]);
  return kernel_end(right, "sum: %.6e", total);
}
