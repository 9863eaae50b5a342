/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* packed-halo.c - seven-point steps on a cube that is cut into blocks, as in most structured codes.
 * A rank posts receives, packs each face into a buffer, and sends it. After a wait for all requests
 * it unpacks the faces. The length of a face and the rank behind it are known only at run time.
 *
 *   packed-halo [repetitions] */
#include "kernel.h"
#include <math.h>
#include <stdlib.h>

#ifndef N
#define N 16
#define STEPS 2000
#endif
enum { DIMENSIONS = 3, FACES = 2 * DIMENSIONS };

/* One rank's block. A point (x, y, z) has 1 <= x <= width[0] and so on; 0 and width + 1 are halo.
 */
struct block {
  MPI_Comm comm;
  int width[DIMENSIONS], first[DIMENSIONS]; /* own points, and those before them */
  int stride[DIMENSIONS];                   /* in points */
  int neighbours[FACES];                    /* rank, or MPI_PROC_NULL: low x, high x, low y ... */
  int face_points[FACES];
  double *out[FACES], *in[FACES];
  double *now, *next;
};

static double *points(int count) {
  double *made = calloc((size_t)count, sizeof *made);
  if (!made)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return made;
}

static void block_place(struct block *b, MPI_Comm comm) {
  int size, rank, grid[DIMENSIONS] = {0}, periods[DIMENSIONS] = {0}, place[DIMENSIONS];
  MPI_Comm_size(comm, &size);
  MPI_Dims_create(size, DIMENSIONS, grid);
  MPI_Cart_create(comm, DIMENSIONS, grid, periods, 0, &b->comm);
  MPI_Comm_rank(b->comm, &rank);
  MPI_Cart_coords(b->comm, rank, DIMENSIONS, place);
  for (int d = 0; d < DIMENSIONS; d++) {
    b->first[d] = N * place[d] / grid[d];
    b->width[d] = N * (place[d] + 1) / grid[d] - b->first[d];
    MPI_Cart_shift(b->comm, d, 1, &b->neighbours[2 * d], &b->neighbours[2 * d + 1]);
  }
}

static void block_make(struct block *b, MPI_Comm comm) {
  int count = 1;
  block_place(b, comm);
  for (int d = DIMENSIONS - 1; d >= 0; d--) {
    b->stride[d] = count;
    count *= b->width[d] + 2;
  }
  b->now = points(count);
  b->next = points(count);
  for (int f = 0; f < FACES; f++) {
    b->face_points[f] = b->width[0] * b->width[1] * b->width[2] / b->width[f / 2];
    b->out[f] = points(b->face_points[f]);
    b->in[f] = points(b->face_points[f]);
  }
}

static void block_free(struct block *b) {
  for (int f = 0; f < FACES; f++) {
    free(b->out[f]);
    free(b->in[f]);
  }
  free(b->now);
  free(b->next);
  MPI_Comm_free(&b->comm);
}

static int at(const struct block *b, int x, int y, int z) {
  return x * b->stride[0] + y * b->stride[1] + z * b->stride[2];
}

/* Zero inside, a function of the place on the boundary. */
static void block_start(struct block *b) {
  for (int x = 0; x <= b->width[0] + 1; x++)
    for (int y = 0; y <= b->width[1] + 1; y++)
      for (int z = 0; z <= b->width[2] + 1; z++) {
        const int i = b->first[0] + x, j = b->first[1] + y, k = b->first[2] + z;
        const int inside = i > 0 && i <= N && j > 0 && j <= N && k > 0 && k <= N;
        b->now[at(b, x, y, z)] = b->next[at(b, x, y, z)] =
            inside ? 0.0 : sin(3.0 * (i + 2 * j + 3 * k) / (N + 1));
      }
}

/* The first point of a face in the layer of that coordinate, and the strides along it. */
static int face_origin(const struct block *b, int dimension, int layer, int along[2]) {
  const int first = dimension == 0 ? 1 : 0, second = dimension == 2 ? 1 : 2;
  along[0] = first;
  along[1] = second;
  return layer * b->stride[dimension] + b->stride[first] + b->stride[second];
}

static void pack(const struct block *b, int face) {
  int along[2];
  double *to = b->out[face];
  const int origin = face_origin(b, face / 2, face % 2 ? b->width[face / 2] : 1, along);
  for (int i = 0; i < b->width[along[0]]; i++)
    for (int k = 0; k < b->width[along[1]]; k++)
      *to++ = b->now[origin + i * b->stride[along[0]] + k * b->stride[along[1]]];
}

static void unpack(const struct block *b, int face) {
  int along[2];
  const double *from = b->in[face];
  const int origin = face_origin(b, face / 2, face % 2 ? b->width[face / 2] + 1 : 0, along);
  for (int i = 0; i < b->width[along[0]]; i++)
    for (int k = 0; k < b->width[along[1]]; k++)
      b->now[origin + i * b->stride[along[0]] + k * b->stride[along[1]]] = *from++;
}

/* A message is tagged by the face that it leaves from: low x, high x, low y ... */
static void exchange(struct block *b) {
  MPI_Request requests[2 * FACES];
  int count = 0;
  for (int f = 0; f < FACES; f++)
    if (b->neighbours[f] != MPI_PROC_NULL)
      MPI_Irecv(b->in[f], b->face_points[f], MPI_DOUBLE, b->neighbours[f], f ^ 1, b->comm,
                &requests[count++]);
  for (int f = 0; f < FACES; f++)
    if (b->neighbours[f] != MPI_PROC_NULL) {
      pack(b, f);
      MPI_Isend(b->out[f], b->face_points[f], MPI_DOUBLE, b->neighbours[f], f, b->comm,
                &requests[count++]);
    }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int f = 0; f < FACES; f++)
    if (b->neighbours[f] != MPI_PROC_NULL)
      unpack(b, f);
}

static void step(struct block *b) {
  const double *restrict now = b->now;
  double *restrict next = b->next;
  const int sx = b->stride[0], sy = b->stride[1];
  for (int x = 1; x <= b->width[0]; x++)
    for (int y = 1; y <= b->width[1]; y++)
      for (int i = at(b, x, y, 1), end = i + b->width[2]; i < end; i++)
        next[i] =
            (now[i - sx] + now[i + sx] + now[i - sy] + now[i + sy] + now[i - 1] + now[i + 1]) *
            (1.0 / FACES);
  double *old = b->now;
  b->now = b->next;
  b->next = old;
}

static void run(struct block *b) {
  for (int i = 0; i < STEPS; i++) {
    exchange(b);
    step(b);
  }
}

/* The same as one block, alone: every point must be the same bit for bit. */
static int verify(const struct block *b) {
  struct block serial;
  int same = 1;
  block_make(&serial, MPI_COMM_SELF);
  block_start(&serial);
  run(&serial);
  for (int x = 1; x <= b->width[0]; x++)
    for (int y = 1; y <= b->width[1]; y++)
      for (int z = 1; z <= b->width[2]; z++)
        same &= b->now[at(b, x, y, z)] ==
                serial.now[at(&serial, b->first[0] + x, b->first[1] + y, b->first[2] + z)];
  block_free(&serial);
  return same;
}

static double sum_of(const struct block *b) {
  double sum = 0;
  for (int x = 1; x <= b->width[0]; x++)
    for (int y = 1; y <= b->width[1]; y++)
      for (int z = 1; z <= b->width[2]; z++)
        sum += b->now[at(b, x, y, z)];
  return sum;
}

int main(int argc, char **argv) {
  struct block b;
  double sum, total = 0;
  kernel_begin(&argc, &argv);
  block_make(&b, MPI_COMM_WORLD);
  while (kernel_repeats()) {
    block_start(&b);
    kernel_start();
    run(&b);
    kernel_stop();
  }
  const int right = verify(&b);
  sum = sum_of(&b);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  block_free(&b);
  return kernel_end(right, "sum: %.6e", total);
}
