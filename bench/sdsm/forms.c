/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "forms.h"

#include <stdlib.h>

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }
static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

void compute_level(const struct level *level) {
  enum { ROWS = 32 };
  const struct plane_shape *shape = &level->problem->shape;
  const size_t low = larger(level->low, 1), high = smaller(level->high, level->problem->nz - 1);
#pragma omp parallel for collapse(2) schedule(static)                                              \
    num_threads(level->problem->arguments->sdsm.threads)
  for (size_t z = low; z < high; ++z)
    for (size_t y = 1; y < shape->ny - 1; y += ROWS) {
      sdsm_compute_begin();
      stencil_rows(shape, level->out(level->data, z), level->in(level->data, z), y,
                   smaller(y + ROWS, shape->ny - 1));
      sdsm_compute_end();
    }
}

/* Planes of one shared array, and another that becomes new. */
struct step {
  double *from, *to;
  size_t plane;
};

static double *plane_of(double *array, size_t plane, size_t z) { return array + z * plane; }

static struct planes step_in(const void *data, size_t z) {
  const struct step *step = data;
  return (struct planes){plane_of(step->from, step->plane, z - 1),
                         plane_of(step->from, step->plane, z),
                         plane_of(step->from, step->plane, z + 1)};
}

static double *step_out(const void *data, size_t z) {
  const struct step *step = data;
  return plane_of(step->to, step->plane, z);
}

static void compute_own(const struct problem *problem, struct step step, size_t low, size_t high) {
  compute_level(&(struct level){problem, low, high, step_in, step_out, &step});
}

static bool preload_planes(const struct problem *problem, const struct sdsm_array *array,
                           size_t low, size_t high, enum sdsm_access access) {
  const size_t from[3] = {low, 0, 0}, to[3] = {high, problem->shape.ny, problem->shape.nx};
  return sdsm_preload_array(array, from, to, access);
}

/* The up to `planes` planes of each neighbour that lie next to this rank's. */
static bool preload_halo(const struct problem *problem, const struct sdsm_array *array,
                         size_t planes) {
  const size_t below = smaller(planes, problem->low);
  const size_t above = smaller(planes, problem->nz - problem->high);
  bool present = preload_planes(problem, array, problem->low - below, problem->low, SDSM_READ);
  present &= preload_planes(problem, array, problem->high, problem->high + above, SDSM_READ);
  return present;
}

/* The end of a step in which each rank wrote its own planes only. A page with planes of two ranks
 * has one owner, and the other rank's results must be merged. */
static void publish_own(const struct problem *problem) {
  if (problem->aligned)
    sdsm_sync_drop();
  else
    sdsm_barrier();
}

int run_a1(const struct problem *problem, struct sdsm_array x[2]) {
  for (int s = 0; s < problem->arguments->steps; ++s) {
    const struct step step = {(double *)x[s & 1].start, (double *)x[~s & 1].start, problem->plane};
    if (problem->preload)
      preload_halo(problem, &x[s & 1], 1);
    compute_own(problem, step, problem->low, problem->high);
    publish_own(problem);
  }
  return problem->arguments->steps & 1;
}

/* One time block: levels 0 to `levels`. Level s is in x[s & 1] (numbered from the block's start),
 * or in scratch planes [scratch_low, scratch_high) for planes that only this block needs. */
struct block {
  const struct problem *problem;
  double *x[2];
  double *scratch[2];
  size_t scratch_low;
  int level; /* the one that is computed now */
  /* Planes whose level s (1 or more) is in scratch. */
  bool (*in_scratch)(const struct block *block, int s, size_t z);
};

static double *block_plane(const struct block *block, int s, size_t z) {
  const size_t plane = block->problem->plane;
  if (s > 0 && block->in_scratch(block, s, z))
    return plane_of(block->scratch[s & 1], plane, z - block->scratch_low);
  return plane_of(block->x[s & 1], plane, z);
}

static struct planes block_in(const void *data, size_t z) {
  const struct block *block = data;
  const int s = block->level - 1;
  return (struct planes){block_plane(block, s, z - 1), block_plane(block, s, z),
                         block_plane(block, s, z + 1)};
}

static double *block_out(const void *data, size_t z) {
  const struct block *block = data;
  return block_plane(block, block->level, z);
}

static void compute_block_level(struct block *block, int s, size_t low, size_t high) {
  const struct problem *problem = block->problem;
  block->level = s;
  for (size_t z = larger(low, 1); z < smaller(high, problem->nz - 1); ++z)
    if (block->in_scratch(block, s, z)) {
      sdsm_compute_begin();
      stencil_edges(&problem->shape, block_out(block, z), block_plane(block, s - 1, z));
      sdsm_compute_end();
    }
  compute_level(&(struct level){problem, low, high, block_in, block_out, block});
}

static void open_block(struct block *block, size_t low, size_t planes) {
  block->scratch_low = low;
  for (int i = 0; i < 2; ++i) {
    block->scratch[i] = malloc((planes * block->problem->plane + 1) * sizeof(double));
    if (!block->scratch[i])
      MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static void close_block(struct block *block) {
  free(block->scratch[0]);
  free(block->scratch[1]);
}

/* The steps of the next time block. */
static int block_levels(const struct problem *problem, int done, size_t most) {
  const size_t left = (size_t)(problem->arguments->steps - done);
  return (int)smaller(smaller((size_t)problem->arguments->block, most), left);
}

/* The planes of the smallest part. */
static size_t smallest_part(const struct problem *problem) {
  return problem->nz / (size_t)problem->ranks;
}

/* A2: the neighbours' planes are computed in scratch. The outermost planes of the array are
 * constant and stay where they are. */
static bool a2_in_scratch(const struct block *block, int s, size_t z) {
  (void)s;
  const struct problem *problem = block->problem;
  return (z < problem->low || z >= problem->high) && z > 0 && z < problem->nz - 1;
}

/* Whether each rank's preload of a time block can be complete. All ranks decide alike. */
static bool preload_fits(const struct problem *problem, size_t levels) {
  const struct sdsm_options *sdsm = &problem->arguments->sdsm;
  const size_t bytes = 2 * levels * problem->plane * sizeof(double) + 4 * sdsm->page;
  return problem->preload && bytes + (size_t)sdsm->threads * sdsm->page < sdsm->cache;
}

int run_a2(const struct problem *problem, struct sdsm_array x[2]) {
  const size_t most = smallest_part(problem);
  struct block block = {.problem = problem, .in_scratch = a2_in_scratch};
  const size_t reach = smaller((size_t)problem->arguments->block, most);
  const size_t first = problem->low - smaller(reach, problem->low);
  open_block(&block, first, problem->high + reach - first);
  int now = 0;
  for (int done = 0, levels; done < problem->arguments->steps; done += levels) {
    levels = block_levels(problem, done, most);
    block.x[0] = (double *)x[now].start;
    block.x[1] = (double *)x[1 - now].start;
    const bool complete = preload_fits(problem, (size_t)levels);
    if (problem->preload)
      preload_halo(problem, &x[now], (size_t)levels);
    if (complete)
      sdsm_sync(); /* Level 2 overwrites the planes that neighbours fetch. */
    for (int s = 1; s <= levels; ++s) {
      const size_t halo = (size_t)(levels - s);
      compute_block_level(&block, s, problem->low - smaller(halo, problem->low),
                          problem->high + halo);
      if (s == 1 && !complete)
        sdsm_sync();
    }
    publish_own(problem);
    now ^= levels & 1;
  }
  close_block(&block);
  return now;
}

/* A3: phase 2 computes planes [border - s, border + s) of level s, in scratch but for the last. */
struct pyramid {
  struct block block;
  size_t border;
  int levels;
};

static bool a3_in_scratch(const struct block *block, int s, size_t z) {
  const struct pyramid *pyramid = (const struct pyramid *)block; /* its first member */
  return s < pyramid->levels && z + (size_t)s >= pyramid->border && z < pyramid->border + (size_t)s;
}

static bool never_in_scratch(const struct block *block, int s, size_t z) {
  (void)block, (void)s, (void)z;
  return false;
}

/* Phase 1. Phase 2 finds the levels that it needs in place. The two planes next to the missing ones
 * keep level s, because level s + 2 ends before them. */
static void shrinking_pyramid(struct block *block, int levels) {
  const struct problem *problem = block->problem;
  block->in_scratch = never_in_scratch;
  for (int s = 1; s <= levels; ++s)
    compute_block_level(block, s, problem->low == 0 ? 0 : problem->low + (size_t)s,
                        problem->high == problem->nz ? problem->nz : problem->high - (size_t)s);
}

/* Phase 2, at the border to the next rank: this rank computes the planes of both. */
static void inverted_pyramid(struct pyramid *pyramid) {
  pyramid->block.in_scratch = a3_in_scratch;
  for (int s = 1; s <= pyramid->levels; ++s)
    compute_block_level(&pyramid->block, s, pyramid->border - (size_t)s,
                        pyramid->border + (size_t)s);
}

static void preload_border(const struct problem *problem, struct sdsm_array x[2], int now,
                           int levels) {
  const size_t border = problem->high, end = smaller(border + (size_t)levels + 1, problem->nz);
  const int result = now ^ (levels & 1);
  preload_planes(problem, &x[1 - result], border, end, SDSM_READ);
  preload_planes(problem, &x[result], border, border + (size_t)levels, SDSM_WRITE);
}

int run_a3(const struct problem *problem, struct sdsm_array x[2]) {
  const size_t most = larger(smallest_part(problem) / 2, 1);
  const size_t reach = smaller((size_t)problem->arguments->block, most);
  struct pyramid pyramid = {.block.problem = problem, .border = problem->high};
  open_block(&pyramid.block, problem->high - smaller(reach, problem->high), 2 * reach);
  int now = 0;
  for (int done = 0, levels; done < problem->arguments->steps; done += levels) {
    levels = pyramid.levels = block_levels(problem, done, most);
    pyramid.block.x[0] = (double *)x[now].start;
    pyramid.block.x[1] = (double *)x[1 - now].start;
    shrinking_pyramid(&pyramid.block, levels);
    publish_own(problem);
    if (problem->high < problem->nz) {
      if (problem->preload)
        preload_border(problem, x, now, levels);
      inverted_pyramid(&pyramid);
    }
    sdsm_barrier();
    now ^= levels & 1;
  }
  close_block(&pyramid.block);
  return now;
}

/* Plain MPI. The planes of the neighbours stand before and after this rank's. */
struct local {
  double *from, *to;
  size_t plane, low; /* plane z of the array is z - low + 1 here */
};

static struct planes local_in(const void *data, size_t z) {
  const struct local *local = data;
  double *same = plane_of(local->from, local->plane, z - local->low + 1);
  return (struct planes){same - local->plane, same, same + local->plane};
}

static double *local_out(const void *data, size_t z) {
  const struct local *local = data;
  return plane_of(local->to, local->plane, z - local->low + 1);
}

static void compute_local(const struct problem *problem, const struct local *local, size_t low,
                          size_t high) {
  compute_level(&(struct level){problem, low, high, local_in, local_out, local});
}

static void step_blocking(const struct problem *problem, const struct local *local, int below,
                          int above) {
  const int count = (int)problem->plane;
  double *own = local->from + local->plane;
  double *last = local->from + (problem->high - problem->low) * local->plane;
  MPI_Sendrecv(own, count, MPI_DOUBLE, below, 0, last + local->plane, count, MPI_DOUBLE, above, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(last, count, MPI_DOUBLE, above, 1, local->from, count, MPI_DOUBLE, below, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  compute_local(problem, local, problem->low, problem->high);
}

static void step_nonblocking(const struct problem *problem, const struct local *local, int below,
                             int above) {
  const int count = (int)problem->plane;
  double *own = local->from + local->plane;
  double *last = local->from + (problem->high - problem->low) * local->plane;
  MPI_Request request[4];
  MPI_Irecv(last + local->plane, count, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &request[0]);
  MPI_Irecv(local->from, count, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &request[1]);
  MPI_Isend(own, count, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &request[2]);
  MPI_Isend(last, count, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &request[3]);
  compute_local(problem, local, problem->low + 1, problem->high - 1);
  MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
  compute_local(problem, local, problem->low, problem->low + 1);
  if (problem->high > problem->low + 1)
    compute_local(problem, local, problem->high - 1, problem->high);
}

int run_mpi(const struct problem *problem, double *x[2], bool nonblocking) {
  const int below = problem->rank > 0 ? problem->rank - 1 : MPI_PROC_NULL;
  const int above = problem->rank + 1 < problem->ranks ? problem->rank + 1 : MPI_PROC_NULL;
  for (int s = 0; s < problem->arguments->steps; ++s) {
    const struct local local = {x[s & 1], x[~s & 1], problem->plane, problem->low};
    (nonblocking ? step_nonblocking : step_blocking)(problem, &local, below, above);
  }
  return problem->arguments->steps & 1;
}
