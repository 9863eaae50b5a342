/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* block_cyclic.h - which rank owns which column of an N x N matrix
 *
 * Blocks of BLOCK columns go round the ranks in turn. A rank keeps its columns one after the other,
 * each of N doubles. The including program defines N and BLOCK. */
#ifndef BLOCK_CYCLIC_H
#define BLOCK_CYCLIC_H

#include <stdint.h>

/* The rank that owns a column. */
static inline int owner_of(int column, int size) { return column / BLOCK % size; }

/* Where a column stands among the columns of its owner. */
static inline int place_of(int column, int size) {
  return column / (BLOCK * size) * BLOCK + column % BLOCK;
}

/* How many of the first `end` columns a rank owns: where its columns from `end` on begin. */
static inline int columns_before(int end, int rank, int size) {
  const int rest = end % (BLOCK * size) - rank * BLOCK;
  return end / (BLOCK * size) * BLOCK + (rest < 0 ? 0 : rest > BLOCK ? BLOCK : rest);
}

/* The global number of a rank's column. */
static inline int column_at(int place, int rank, int size) {
  return (place / BLOCK * size + rank) * BLOCK + place % BLOCK;
}

/* A number in [-1, 1) that depends on row, column and `which` matrix alone. */
static inline double random_element(int row, int column, int which) {
  uint64_t x = ((uint64_t)which << 40) + ((uint64_t)row << 20) + (uint64_t)column;
  x = (x ^ (x >> 31)) * 0x7fb5d329728ea185u;
  x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44du;
  x ^= x >> 33;
  return (double)(x >> 11) * 0x1p-52 - 1.0;
}

#endif
