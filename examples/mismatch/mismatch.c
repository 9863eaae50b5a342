/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* mismatch.c - a mistake: the ranks decide by themselves whether to go on, and rank 0 decides
 * otherwise than the rest. */
#include <mpi.h>
#include <stdio.h>

static double residual(int rank, int step) { return rank == 0 && step == 3 ? 0.0 : 1.0 / step; }

int main(int argc, char **argv) {
  int rank, step = 0;
  double mine, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  do {
    mine = residual(rank, ++step);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } while (mine > 0.0 && step < 10); /* should test `sum`, which all ranks have */
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d steps\n", step);
  MPI_Finalize();
}
