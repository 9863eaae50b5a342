/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* halo.c - heat in a ring. Each rank has a part of the ring, and exchanges its ends with its
 * neighbours in each step.
 *
 * usage: halo STEPS WIDTH
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { cells = 16, widest = 4 };

static double now[widest + cells + widest], next[widest + cells + widest];

/* Each rank gets the ends of its neighbours, `width` cells each. */
static void exchange(int left, int right, int width) {
  double *begin = &now[widest], *end = &now[widest + cells];
  MPI_Sendrecv(begin, width, MPI_DOUBLE, left, 0, end, width, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(end - width, width, MPI_DOUBLE, right, 0, begin - width, width, MPI_DOUBLE, left, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Returns the heat of this rank's part after the step. */
static double step(void) {
  double heat = 0;
  for (int i = widest; i < widest + cells; i++)
    next[i] = 0.25 * now[i - 1] + 0.5 * now[i] + 0.25 * now[i + 1];
  for (int i = widest; i < widest + cells; i++)
    heat += now[i] = next[i];
  return heat;
}

int main(int argc, char **argv) {
  int rank, size;
  double heat = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 3 || size < 2) {
    fprintf(stderr, "usage: mpiexec -n 2 halo STEPS WIDTH\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  int steps = atoi(argv[1]);
  int width = atoi(argv[2]);
  int left = (rank + size - 1) % size;
  int right = (rank + 1) % size;
  if (rank == 0)
    now[widest] = 1000;

  double begin = MPI_Wtime();
  for (int i = 0; i < steps; i++) {
    exchange(left, right, width);
    double mine = step();
    MPI_Allreduce(&mine, &heat, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  double time = MPI_Wtime() - begin;
  if (rank == 0)
    printf("heat %.3f, %.2f us a step\n", heat, time / steps * 1e6);
  MPI_Finalize();
}
