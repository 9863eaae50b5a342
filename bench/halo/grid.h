/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* grid.h - one rank's block of a square grid, with a frame of halo cells around it.
 *
 * The grid has `cells` x `cells` interior points and a fixed boundary. Ranks form a rectangle of
 * `columns` x `rows` blocks, numbered row by row. A cell (x, y) of a block has 1 <= x <= width and
 * 1 <= y <= height; 0 and width + 1 (height + 1) are the halo.
 */
#ifndef GRID_H
#define GRID_H

#include <mpi.h>
#include <stddef.h>

struct grid {
  int cells;                    /* interior points along each side of the whole grid */
  int columns, rows;            /* blocks along x and y */
  int column, row;              /* the place of this block */
  int width, height;            /* interior points of this block */
  int west, east, north, south; /* ranks of the neighbours, or MPI_PROC_NULL */
  double *now, *next;           /* (width + 2) x (height + 2) points each */
};

enum { halo_tag = 7, block_tag = 8 };

static inline size_t at(const struct grid *g, int x, int y) {
  return (size_t)y * (size_t)(g->width + 2) + (size_t)x;
}

/* The first of `cells` points that part `index` of `parts` owns; part `parts` is the end. */
static inline int first_of(int cells, int parts, int index) {
  return (int)((long)cells * index / parts);
}

void grid_make(struct grid *g, int cells, int rank, int size);
void grid_free(struct grid *g);

/* Sets interior to 0 and boundary to a fixed function of place. */
void grid_start(struct grid *g);

/* One Jacobi step over the block: returns the largest change of a point. */
double grid_step(struct grid *g);

/* Fills the halo of `now` from the four neighbours. */
void exchange(struct grid *g);

/* Brings the whole interior together on rank 0; `whole` (cells x cells) is used there alone. */
void gather(const struct grid *g, double *whole);

#endif
