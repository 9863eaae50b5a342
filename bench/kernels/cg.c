/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cg.c - conjugate gradients: the paper's kernel with little computation, and messages of one
 * double in a fixed pattern.
 *
 * The columns of the symmetric matrix are distributed block-cyclically, and with them the elements
 * of all vectors. In each rank, a product of vectors is a partial dot product, as is the product of
 * a row of the matrix and a vector. cg_messages.h adds up the partial products, or cg_collectives.h
 * if the kernel is built with -DCOLLECTIVE.
 *
 *   cg [repetitions] */
#include "kernel.h"
#include <math.h>
#include <string.h>

#ifndef N
#define N 128
#define SOLVES 10
#endif
#define BLOCK 8
#include "block_cyclic.h"

enum { MOST_STEPS = 4 * N };
static int rank, size, columns;

/* This rank's part of a row of the matrix by a vector, or of any dot product. */
static double partial_dot(const double *x, const double *y) {
  double sum = 0;
  for (int j = 0; j < columns; j++)
    sum += x[j] * y[j];
  return sum;
}

#ifdef COLLECTIVE
#include "cg_collectives.h"
#else
#include "cg_messages.h"
#endif

/* Lehmer's matrix: symmetric, positive definite, dense. */
static double element(int i, int j) {
  return i < j ? (i + 1.0) / (j + 1.0) : (j + 1.0) / (i + 1.0);
}

/* Solves A x = b to 1e-10 of the first residual; returns the number of steps. */
static int solve(double a[N][N], const double *b, double *x) {
  double r[N], p[N], q[N];
  memset(x, 0, (size_t)columns * sizeof *x);
  memcpy(r, b, (size_t)columns * sizeof *r);
  memcpy(p, b, (size_t)columns * sizeof *p);
  double now = dot(r, r);
  const double enough = now * 1e-20;
  int step = 0;
  for (; step < MOST_STEPS && now > enough; step++) {
    times(a, p, q);
    const double alpha = now / dot(p, q), before = now;
    for (int j = 0; j < columns; j++) {
      x[j] += alpha * p[j];
      r[j] -= alpha * q[j];
    }
    now = dot(r, r);
    for (int j = 0; j < columns; j++)
      p[j] = r[j] + now / before * p[j];
  }
  return step;
}

/* |b - A x| against |b|; `sum` gets the sum of the elements of x. */
static int verify(double a[N][N], const double *b, const double *x, double *sum) {
  double ax[N], largest = 0;
  times(a, x, ax);
  for (int j = 0; j < columns; j++)
    largest = fmax(largest, fabs(b[j] - ax[j]));
  double ones[N];
  for (int j = 0; j < columns; j++)
    ones[j] = 1;
  *sum = dot(x, ones);
  return largest < 1e-8;
}

int main(int argc, char **argv) {
  static double a[N][N]; /* row i: its elements in this rank's columns */
  double b[N], x[N], sum = 0;
  kernel_begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  columns = columns_before(N, rank, size);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < columns; j++)
      a[i][j] = element(i, column_at(j, rank, size));
  for (int j = 0; j < columns; j++)
    b[j] = random_element(column_at(j, rank, size), 0, 1);
  while (kernel_repeats()) {
    kernel_start();
    for (int i = 0; i < SOLVES; i++)
      solve(a, b, x);
    kernel_stop();
  }
  const int right = verify(a, b, x, &sum);
  return kernel_end(right, "sum of x: %.6e", sum);
}
