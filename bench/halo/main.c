/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* main.c - Laplace's equation on a square by Jacobi's method, in parallel and then serially.
 *
 * usage: halo [cells [steps]]
 *
 * Every point is computed from the same numbers in the same order, with any number of ranks.
 * Therefore the parallel result must equal the serial one bit for bit, and the output never varies.
 */
#include "grid.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct input {
  int cells, steps;
};

static struct input read_input(int argc, char **argv, int rank) {
  struct input in = {96, 200};
  if (rank == 0) {
    if (argc > 1)
      in.cells = atoi(argv[1]);
    if (argc > 2)
      in.steps = atoi(argv[2]);
  }
  MPI_Bcast(&in, 2, MPI_INT, 0, MPI_COMM_WORLD);
  return in;
}

/* Returns the largest change of a point in the last step, over all ranks. */
static double solve(struct grid *g, int steps) {
  double residual = 0.0;
  for (int step = 0; step < steps; step++) {
    exchange(g);
    double mine = grid_step(g);
    MPI_Allreduce(&mine, &residual, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  return residual;
}

/* Solves again as one block, which has no neighbours, and compares every point. */
static int verify(struct input in, const double *whole, double residual) {
  struct grid serial;
  double change = 0.0;
  grid_make(&serial, in.cells, 0, 1);
  for (int step = 0; step < in.steps; step++)
    change = grid_step(&serial);
  int same = change == residual;
  for (int y = 0; y < in.cells; y++)
    same &= !memcmp(&whole[(size_t)y * (size_t)in.cells], &serial.now[at(&serial, 1, y + 1)],
                    (size_t)in.cells * sizeof *whole);
  grid_free(&serial);
  return same;
}

int main(int argc, char **argv) {
  int rank, size, same = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  struct input in = read_input(argc, argv, rank);
  if (in.cells < size || in.steps < 1) {
    if (rank == 0)
      fprintf(stderr, "halo: need at least %d cells and 1 step\n", size);
    MPI_Finalize();
    return 2;
  }
  struct grid g;
  grid_make(&g, in.cells, rank, size);
  double *whole = rank == 0 ? malloc((size_t)in.cells * (size_t)in.cells * sizeof *whole) : NULL;
  double residual = solve(&g, in.steps);
  gather(&g, whole);

  if (rank == 0) {
    double middle = whole[(size_t)(in.cells / 2) * (size_t)in.cells + (size_t)(in.cells / 2)];
    same = verify(in, whole, residual);
    printf("grid %d x %d, %d steps: residual %.12e, middle %.12e\n", in.cells, in.cells, in.steps,
           residual, middle);
    printf("%s\n", same ? "equal to the serial solution" : "DIFFERS from the serial solution");
  }
  free(whole);
  grid_free(&g);
  MPI_Finalize();
  return !same;
}
