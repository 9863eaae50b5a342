/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* grid.c - the numerical half: a block of the grid and one step of Jacobi's method on it. */
#include "grid.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double *points(const struct grid *g) {
  double *p = calloc((size_t)(g->width + 2) * (size_t)(g->height + 2), sizeof *p);
  if (!p) {
    fprintf(stderr, "halo: out of memory\n");
    exit(1);
  }
  return p;
}

void grid_make(struct grid *g, int cells, int rank, int size) {
  g->cells = cells;
  g->rows = (int)sqrt((double)size);
  while (size % g->rows)
    g->rows--;
  g->columns = size / g->rows;
  g->column = rank % g->columns;
  g->row = rank / g->columns;
  g->width = first_of(cells, g->columns, g->column + 1) - first_of(cells, g->columns, g->column);
  g->height = first_of(cells, g->rows, g->row + 1) - first_of(cells, g->rows, g->row);
  g->west = g->column > 0 ? rank - 1 : MPI_PROC_NULL;
  g->east = g->column < g->columns - 1 ? rank + 1 : MPI_PROC_NULL;
  g->north = g->row > 0 ? rank - g->columns : MPI_PROC_NULL;
  g->south = g->row < g->rows - 1 ? rank + g->columns : MPI_PROC_NULL;
  g->now = points(g);
  g->next = points(g);
  grid_start(g);
}

void grid_free(struct grid *g) {
  free(g->next);
  free(g->now);
}

/* Along the north edge a wave, along the others a constant. */
static double boundary(const struct grid *g, int x, int y) {
  if (y == 0)
    return sin(3.0 * x / (g->cells + 1));
  return x == 0 ? 0.25 : y > g->cells ? 0.5 : 0.75;
}

void grid_start(struct grid *g) {
  int left = first_of(g->cells, g->columns, g->column);
  int top = first_of(g->cells, g->rows, g->row);
  for (int y = 0; y <= g->height + 1; y++)
    for (int x = 0; x <= g->width + 1; x++) {
      int i = left + x, j = top + y;
      int interior = i > 0 && i <= g->cells && j > 0 && j <= g->cells;
      g->now[at(g, x, y)] = g->next[at(g, x, y)] = interior ? 0.0 : boundary(g, i, j);
    }
}

double grid_step(struct grid *g) {
  double largest = 0.0;
  for (int y = 1; y <= g->height; y++)
    for (int x = 1; x <= g->width; x++) {
      double mean = 0.25 * (g->now[at(g, x - 1, y)] + g->now[at(g, x + 1, y)] +
                            g->now[at(g, x, y - 1)] + g->now[at(g, x, y + 1)]);
      double change = fabs(mean - g->now[at(g, x, y)]);
      g->next[at(g, x, y)] = mean;
      if (change > largest)
        largest = change;
    }
  double *old = g->now;
  g->now = g->next;
  g->next = old;
  return largest;
}
