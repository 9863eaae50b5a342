/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* lu.c - LU decomposition with partial pivoting: the paper's irregular kernel of mid-size messages.
 *
 * The columns are distributed block-cyclically. The owner of column k finds its pivot, and divides
 * the column by it. Then it sends the pivot's row number and the multipliers to every other rank.
 * Each rank exchanges its rows and updates its columns. The messages get shorter with every column.
 *
 *   lu [repetitions] */
#include "kernel.h"
#include <math.h>
#include <stdlib.h>

#ifndef N
#define N 1000
#endif
#define BLOCK 8
#include "block_cyclic.h"

enum { pivot_tag = 1, column_tag = 2 };
static int rank, size, columns;

static int find_pivot(const double *column, int k) {
  int pivot = k;
  for (int i = k + 1; i < N; i++)
    if (fabs(column[i]) > fabs(column[pivot]))
      pivot = i;
  return pivot;
}

static void exchange_rows(double *column, int k, int pivot) {
  const double value = column[k];
  column[k] = column[pivot];
  column[pivot] = value;
}

/* The owner's part of step k: its column becomes the multipliers. Returns the pivot's row. */
static int eliminate(double *column, int k) {
  const int pivot = find_pivot(column, k);
  exchange_rows(column, k, pivot);
  for (int i = k + 1; i < N; i++)
    column[i] /= column[k];
  return pivot;
}

static void send_to_all(const double *multipliers, int count, int pivot) {
  for (int other = 0; other < size; other++)
    if (other != rank) {
      MPI_Send(&pivot, 1, MPI_INT, other, pivot_tag, MPI_COMM_WORLD);
      MPI_Send(multipliers, count, MPI_DOUBLE, other, column_tag, MPI_COMM_WORLD);
    }
}

static void update(double *restrict column, const double *restrict multipliers, int k, int pivot) {
  exchange_rows(column, k, pivot);
  const double factor = column[k];
  for (int i = k + 1; i < N; i++)
    column[i] -= multipliers[i - k - 1] * factor;
}

/* a becomes L and U; pivots[k] is the row that step k exchanged with row k. */
static void decompose(double *a, int *pivots, double *buffer) {
  for (int k = 0; k < N; k++) {
    const int owner = owner_of(k, size), count = N - k - 1;
    const int place = owner == rank ? place_of(k, size) : -1;
    double *multipliers = buffer;
    if (rank == owner) {
      double *column = &a[(size_t)place * N];
      pivots[k] = eliminate(column, k);
      multipliers = &column[k + 1];
      send_to_all(multipliers, count, pivots[k]);
    } else {
      MPI_Recv(&pivots[k], 1, MPI_INT, owner, pivot_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(multipliers, count, MPI_DOUBLE, owner, column_tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
    /* Columns to the left hold multipliers: only their rows are exchanged. */
    const int later = columns_before(k + 1, rank, size);
    for (int j = 0; j < later; j++)
      if (j != place)
        exchange_rows(&a[(size_t)j * N], k, pivots[k]);
    for (int j = later; j < columns; j++)
      update(&a[(size_t)j * N], multipliers, k, pivots[k]);
  }
}

static void fill(double *a) {
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < N; i++)
      a[(size_t)j * N + (size_t)i] = random_element(i, column_at(j, rank, size), 1);
}

/* y = M x, with the elements of M that `part` names: all, on and above the diagonal, below it. */
enum part { all, upper, lower };
static void times(const double *m, enum part part, const double *x, double *y) {
  double mine[N] = {0};
  for (int j = 0; j < columns; j++) {
    const int column = column_at(j, rank, size);
    const int first = part == lower ? column + 1 : 0, end = part == upper ? column + 1 : N;
    for (int i = first; i < end; i++)
      mine[i] += m[(size_t)j * N + (size_t)i] * x[column];
  }
  MPI_Allreduce(mine, y, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* L (U x) must be A x with its rows exchanged; `sum` gets the sum of the elements of U x. */
static int verify(double *a, const int *pivots, double *sum) {
  double x[N], ux[N], lux[N], ax[N], largest = 0;
  for (int i = 0; i < N; i++)
    x[i] = random_element(i, 0, 3);
  times(a, upper, x, ux);
  times(a, lower, ux, lux);
  fill(a);
  times(a, all, x, ax);
  for (int k = 0; k < N; k++)
    exchange_rows(ax, k, pivots[k]);
  for (int i = 0; i < N; i++) {
    largest = fmax(largest, fabs(ux[i] + lux[i] - ax[i]));
    *sum += ux[i];
  }
  return largest < 1e-9 * N;
}

int main(int argc, char **argv) {
  double sum = 0;
  kernel_begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  columns = columns_before(N, rank, size);
  double *a = malloc(((size_t)columns + 1) * N * sizeof *a), *buffer = a + (size_t)columns * N;
  int pivots[N];
  while (kernel_repeats()) {
    fill(a);
    kernel_start();
    decompose(a, pivots, buffer);
    kernel_stop();
  }
  const int right = verify(a, pivots, &sum);
  free(a);
  return kernel_end(right, "sum of U x: %.6e", sum);
}
