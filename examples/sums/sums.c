/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sums.c - adds one number of each rank. Two large numbers cancel each other, therefore the order
 * of the additions decides the sum.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  static const double numbers[] = {1e16, 1.0, -1e16, 1.0};
  MPI_Init(&argc, &argv);
  int rank;
  double sum;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&numbers[rank % 4], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %g\n", sum);
  MPI_Finalize();
}
