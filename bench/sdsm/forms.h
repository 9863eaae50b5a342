/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* forms.h - one stencil in several forms: on shared memory (A1, A2, A3, each with or without
 * preload) and on plain MPI.
 *
 *   A1  one exchange a step: the planes of neighbours arrive by faults
 *   A2  one exchange a time block: `block` planes of each neighbour. Planes near a border are
 *       computed by both neighbours
 *   A3  two synchronisations a time block, no plane twice. Phase 1 computes the pyramid that
 * shrinks inward from both borders; phase 2 fills the inverted pyramids over the borders */
#ifndef SDSM_FORMS_H
#define SDSM_FORMS_H

#include "sdsm_arguments.h"
#include "stencil.h"

struct problem {
  const struct arguments *arguments;
  struct plane_shape shape;
  size_t nz, plane; /* planes; doubles of a plane */
  int rank, ranks;
  size_t low, high; /* planes [low, high) are this rank's */
  bool preload;
  bool aligned; /* no page has elements of two ranks */
};

/* Planes of one level that a rank computes: [low, high), cut into blocks of rows for the threads.
 * `in` and `out` find the planes. */
struct level {
  const struct problem *problem;
  size_t low, high;
  struct planes (*in)(const void *data, size_t z);
  double *(*out)(const void *data, size_t z);
  const void *data;
};
void compute_level(const struct level *level);

/* Each runs all steps on the arrays x[0] and x[1], which begin equal. Returns which one has the
 * result. */
typedef int run_form(const struct problem *problem, struct sdsm_array x[2]);
run_form run_a1, run_a2, run_a3;

/* The same on memory of this rank's planes, with a plane of each neighbour before and after. */
int run_mpi(const struct problem *problem, double *x[2], bool nonblocking);

#endif
