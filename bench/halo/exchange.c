/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* exchange.c - the communicating half: halo exchange, and the final collection on rank 0. */
#include "grid.h"
#include <stdlib.h>

/* Rows lie together in memory. At an edge of the grid the neighbour is MPI_PROC_NULL and the call
 * does nothing. */
static void exchange_rows(struct grid *g) {
  double *p = g->now;
  MPI_Sendrecv(&p[at(g, 1, 1)], g->width, MPI_DOUBLE, g->north, halo_tag,
               &p[at(g, 1, g->height + 1)], g->width, MPI_DOUBLE, g->south, halo_tag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&p[at(g, 1, g->height)], g->width, MPI_DOUBLE, g->south, halo_tag, &p[at(g, 1, 0)],
               g->width, MPI_DOUBLE, g->north, halo_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Columns are strided: one datatype describes any of them. */
static void exchange_columns(struct grid *g) {
  MPI_Datatype column;
  MPI_Request requests[4];
  int n = 0;
  double *p = g->now;
  MPI_Type_vector(g->height, 1, g->width + 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  if (g->west != MPI_PROC_NULL) {
    MPI_Irecv(&p[at(g, 0, 1)], 1, column, g->west, halo_tag, MPI_COMM_WORLD, &requests[n++]);
    MPI_Isend(&p[at(g, 1, 1)], 1, column, g->west, halo_tag, MPI_COMM_WORLD, &requests[n++]);
  }
  if (g->east != MPI_PROC_NULL) {
    MPI_Irecv(&p[at(g, g->width + 1, 1)], 1, column, g->east, halo_tag, MPI_COMM_WORLD,
              &requests[n++]);
    MPI_Isend(&p[at(g, g->width, 1)], 1, column, g->east, halo_tag, MPI_COMM_WORLD, &requests[n++]);
  }
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  MPI_Type_free(&column);
}

void exchange(struct grid *g) {
  exchange_rows(g);
  exchange_columns(g);
}

/* Copies a block, packed row by row, to its place in the whole grid. */
static void place(const struct grid *g, int rank, const double *block, double *whole) {
  int left = first_of(g->cells, g->columns, rank % g->columns);
  int right = first_of(g->cells, g->columns, rank % g->columns + 1);
  int top = first_of(g->cells, g->rows, rank / g->columns);
  int bottom = first_of(g->cells, g->rows, rank / g->columns + 1);
  for (int y = top; y < bottom; y++)
    for (int x = left; x < right; x++)
      whole[(size_t)y * (size_t)g->cells + (size_t)x] = *block++;
}

void gather(const struct grid *g, double *whole) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int capacity = (g->cells / g->columns + 1) * (g->cells / g->rows + 1);
  double *block = malloc((size_t)capacity * sizeof *block);
  if (!block)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (int y = 1, n = 0; y <= g->height; y++)
    for (int x = 1; x <= g->width; x++)
      block[n++] = g->now[at(g, x, y)];
  if (rank == 0) {
    place(g, 0, block, whole);
    for (int i = 1; i < size; i++) {
      MPI_Recv(block, capacity, MPI_DOUBLE, i, block_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      place(g, i, block, whole);
    }
  } else {
    MPI_Send(block, g->width * g->height, MPI_DOUBLE, 0, block_tag, MPI_COMM_WORLD);
  }
  free(block);
}
