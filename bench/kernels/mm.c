/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* mm.c - matrix multiplication, C = A B: the paper's kernel of large messages in a fixed pattern.
 *
 * The columns of all three matrices are distributed block-cyclically. Each block of A's columns
 * goes once round the ring of ranks. With this block every rank updates its columns of C.
 *
 *   mm [repetitions] */
#include "kernel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 1024
#endif
#define BLOCK 32
#include "block_cyclic.h"

enum { panel_tag = 1 };
static int rank, size, columns;

/* The panel comes from the left neighbour and goes on to the right one, up to the owner again. */
static void pass_round(double *panel, int owner) {
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  if (rank != owner)
    MPI_Recv(panel, N * BLOCK, MPI_DOUBLE, left, panel_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (right != owner)
    MPI_Send(panel, N * BLOCK, MPI_DOUBLE, right, panel_tag, MPI_COMM_WORLD);
}

/* C += panel * the rows of B from `first` on. Not inlined, so that its machine code is the same in
 * every build. */
__attribute__((noinline)) static void update(double *restrict c, const double *restrict panel,
                                             const double *b, int first) {
  for (int j = 0; j < columns; j++)
    for (int k = 0; k < BLOCK; k++) {
      const double factor = b[(size_t)j * N + (size_t)(first + k)];
      for (int i = 0; i < N; i++)
        c[(size_t)j * N + (size_t)i] += panel[(size_t)k * N + (size_t)i] * factor;
    }
}

static void multiply(double *a, const double *b, double *c, double *buffer) {
  memset(c, 0, (size_t)columns * N * sizeof *c);
  for (int first = 0; first < N; first += BLOCK) {
    const int owner = owner_of(first, size);
    double *panel = rank == owner ? &a[(size_t)place_of(first, size) * N] : buffer;
    pass_round(panel, owner);
    update(c, panel, b, first);
  }
}

static void fill(double *m, int which) {
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < N; i++)
      m[(size_t)j * N + (size_t)i] = random_element(i, column_at(j, rank, size), which);
}

/* y = M x */
static void times(const double *m, const double *x, double *y) {
  double mine[N] = {0};
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < N; i++)
      mine[i] += m[(size_t)j * N + (size_t)i] * x[column_at(j, rank, size)];
  MPI_Allreduce(mine, y, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* C x must be A (B x); `sum` gets the sum of its elements. */
static int verify(const double *a, const double *b, const double *c, double *sum) {
  double x[N], bx[N], abx[N], cx[N], largest = 0;
  for (int i = 0; i < N; i++)
    x[i] = random_element(i, 0, 3);
  times(b, x, bx);
  times(a, bx, abx);
  times(c, x, cx);
  for (int i = 0; i < N; i++) {
    largest = fmax(largest, fabs(cx[i] - abx[i]));
    *sum += cx[i];
  }
  return largest < 1e-10 * N;
}

int main(int argc, char **argv) {
  double sum = 0;
  kernel_begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  columns = columns_before(N, rank, size);
  double *a = malloc(((size_t)columns * 3 + BLOCK) * N * sizeof *a);
  double *b = a + (size_t)columns * N, *c = b + (size_t)columns * N,
         *buffer = c + (size_t)columns * N;
  fill(a, 1);
  fill(b, 2);
  while (kernel_repeats()) {
    kernel_start();
    multiply(a, b, c, buffer);
    kernel_stop();
  }
  const int right = verify(a, b, c, &sum);
  free(a);
  return kernel_end(right, "sum of C x: %.6e", sum);
}
