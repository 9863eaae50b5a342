/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cg_collectives.h - partial dot products meet in MPI_Allreduce (for cg.c) */

static double dot(const double *x, const double *y) {
  const double mine = partial_dot(x, y);
  double sum;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/* q = A p: all rows at once; each rank keeps the elements of its columns. */
static void times(double a[N][N], const double *p, double *q) {
  double mine[N], whole[N];
  for (int i = 0; i < N; i++)
    mine[i] = partial_dot(a[i], p);
  MPI_Allreduce(mine, whole, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int j = 0; j < columns; j++)
    q[j] = whole[column_at(j, rank, size)];
}
