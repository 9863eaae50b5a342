/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* transpose.c - the step between the passes of a Fourier transform in two dimensions. A matrix that
 * is cut into rows becomes one that is cut into columns, and back. Each rank sends every other one
 * a block.
 *
 * A block is sent in PIECES messages, which are under way at once. With -DWHOLE a block is one
 * message, and ranks exchange blocks by MPI_Sendrecv.
 *
 *   transpose [repetitions] */
#include "kernel.h"
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 512
#define STEPS 10
#endif
enum { PIECES = 16 };

static int rank, size;
static double *mine;    /* the rows of this rank: N numbers each */
static double *columns; /* its columns: N rows of as many numbers as it has rows */
static double *blocks;  /* the rows, or the columns, a block after the other, by rank */

/* Rank r has the rows, or columns, from first(r) on, up to first(r + 1). */
static int first(int r) { return N * r / size; }
static int count(int r) { return first(r + 1) - first(r); }
static double *block(double *of, int r) { return of + (size_t)count(rank) * (size_t)first(r); }

/* Sends block r of `from` to rank r, and receives what that one sends into block r of `to`. */
#ifdef WHOLE
static void exchange(double *from, double *to) {
  for (int distance = 1; distance < size; distance++) {
    const int right = (rank + distance) % size, left = (rank - distance + size) % size;
    MPI_Sendrecv(block(from, right), count(rank) * count(right), MPI_DOUBLE, right, 0,
                 block(to, left), count(rank) * count(left), MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
}
#else
/* Piece i of a block: where it begins, in numbers. */
static int piece(int r, int i) { return (int)((long)count(rank) * count(r) * i / PIECES); }

static void exchange(double *from, double *to) {
  MPI_Request requests[2 * PIECES];
  for (int distance = 1; distance < size; distance++) {
    const int right = (rank + distance) % size, left = (rank - distance + size) % size;
    for (int i = 0; i < PIECES; i++)
      MPI_Irecv(block(to, left) + piece(left, i), piece(left, i + 1) - piece(left, i), MPI_DOUBLE,
                left, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < PIECES; i++)
      MPI_Isend(block(from, right) + piece(right, i), piece(right, i + 1) - piece(right, i),
                MPI_DOUBLE, right, i, MPI_COMM_WORLD, &requests[PIECES + i]);
    MPI_Waitall(2 * PIECES, requests, MPI_STATUSES_IGNORE);
  }
}
#endif

/* Where the part of row `row` lies that is in the columns of rank r. */
static double *part(int row, int r) { return block(blocks, r) + (size_t)row * (size_t)count(r); }

static void rows_to_columns(void) {
  for (int r = 0; r < size; r++)
    for (int row = 0; row < count(rank); row++)
      memcpy(part(row, r), mine + (size_t)row * N + first(r), (size_t)count(r) * sizeof *mine);
  exchange(blocks, columns);
  memcpy(block(columns, rank), block(blocks, rank),
         (size_t)count(rank) * (size_t)count(rank) * sizeof *mine);
}

static void columns_to_rows(void) {
  exchange(columns, blocks);
  memcpy(block(blocks, rank), block(columns, rank),
         (size_t)count(rank) * (size_t)count(rank) * sizeof *mine);
  for (int r = 0; r < size; r++)
    for (int row = 0; row < count(rank); row++)
      memcpy(mine + (size_t)row * N + first(r), part(row, r), (size_t)count(r) * sizeof *mine);
}

/* The pass itself: what is done with the number in a row and a column of the whole matrix. */
static double pass(double number, int row, int column) { return 0.5 * number + (row + 2 * column); }

static void step(void) {
  rows_to_columns();
  for (int row = 0; row < N; row++)
    for (int i = 0; i < count(rank); i++) {
      double *number = &columns[(size_t)row * (size_t)count(rank) + (size_t)i];
      *number = pass(*number, row, first(rank) + i);
    }
  columns_to_rows();
}

static double *numbers(size_t n) {
  double *at = calloc(n ? n : 1, sizeof *at);
  if (!at)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return at;
}

int main(int argc, char **argv) {
  int right = 1;
  double sum = 0, total = 0;
  kernel_begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const size_t own = (size_t)count(rank) * N;
  mine = numbers(own);
  columns = numbers(own);
  blocks = numbers(own);
  while (kernel_repeats()) {
    memset(mine, 0, own * sizeof *mine);
    kernel_start();
    for (int i = 0; i < STEPS; i++)
      step();
    kernel_stop();
  }
  for (int row = 0; row < count(rank); row++)
    for (int column = 0; column < N; column++) {
      const double number = mine[(size_t)row * N + (size_t)column];
      double expected = 0;
      for (int i = 0; i < STEPS; i++)
        expected = pass(expected, first(rank) + row, column);
      right &= number == expected;
      sum += number;
    }
  free(mine);
  free(columns);
  free(blocks);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return kernel_end(right, "sum: %.6e", total);
}
