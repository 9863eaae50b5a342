/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cg_messages.h - partial dot products meet in messages of one double (for cg.c) */

enum { dot_tag = 1, row_tag = 2 };

/* The dot product, the same in all ranks: each adds the parts in the order of the ranks. */
static double dot(const double *x, const double *y) {
  const double mine = partial_dot(x, y);
  double sum = 0;
  for (int other = 0; other < size; other++)
    if (other != rank)
      MPI_Send(&mine, 1, MPI_DOUBLE, other, dot_tag, MPI_COMM_WORLD);
  for (int other = 0; other < size; other++) {
    double part = mine;
    if (other != rank)
      MPI_Recv(&part, 1, MPI_DOUBLE, other, dot_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += part;
  }
  return sum;
}

/* q = A p: element i is a dot product that only its owner needs. */
static void times(double a[N][N], const double *p, double *q) {
  for (int i = 0; i < N; i++) {
    const int owner = owner_of(i, size);
    double sum = partial_dot(a[i], p);
    if (rank != owner) {
      MPI_Send(&sum, 1, MPI_DOUBLE, owner, row_tag, MPI_COMM_WORLD);
      continue;
    }
    for (int other = 0; other < size; other++)
      if (other != rank) {
        double part;
        MPI_Recv(&part, 1, MPI_DOUBLE, other, row_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += part;
      }
    q[place_of(i, size)] = sum;
  }
}
