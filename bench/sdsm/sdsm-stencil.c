/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sdsm-stencil.c - runs one stencil in one form, and prints the time of a step and its parts.
 *
 *   mpiexec -n RANKS sdsm-stencil FORM POINTS [OPTION...]
 *
 * FORM: A1 A1p A2 A2p A3 A3p (forms.h; p: with preload), mpi (blocking), mpi-nb (nonblocking).
 * POINTS: 7 or 27. Options: sdsm_arguments.h. --verify compares the result with that of one rank's
 * plain loop, bit by bit.
 *
 * Prints a line of names and values on rank 0. step_us is the time of the slowest rank. The other
 * values are means over the ranks, in microseconds of a step, or counts in a step (faults, bodies).
 * fault_us is the mean over the user threads. */
#include "forms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t bytes) {
  void *memory = malloc(bytes + 1);
  if (!memory) {
    fprintf(stderr, "sdsm-stencil: no memory for %zu bytes\n", bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return memory;
}

static void fill(const struct plane_shape *shape, double *planes, size_t low, size_t high) {
  for (size_t z = low; z < high; ++z)
    for (size_t y = 0; y < shape->ny; ++y)
      for (size_t x = 0; x < shape->nx; ++x)
        *planes++ = stencil_initial(z, y, x);
}

/* The same steps by one loop over the whole array. */
static double *serial(const struct problem *problem) {
  const size_t plane = problem->plane, nz = problem->nz;
  double *from = allocate(nz * plane * sizeof *from), *to = allocate(nz * plane * sizeof *to);
  fill(&problem->shape, from, 0, nz);
  memcpy(to, from, nz * plane * sizeof *to);
  for (int s = 0; s < problem->arguments->steps; ++s) {
    for (size_t z = 1; z + 1 < nz; ++z) {
      const double *same = from + z * plane;
      stencil_rows(&problem->shape, to + z * plane,
                   (struct planes){same - plane, same, same + plane}, 1, problem->shape.ny - 1);
    }
    double *other = from;
    from = to;
    to = other;
  }
  free(to);
  return from;
}

/* Compares each rank's planes with the serial program's. */
static void verify(const struct problem *problem, const double *own) {
  const size_t count = (problem->high - problem->low) * problem->plane;
  double *right = serial(problem);
  sdsm_compute_begin();
  const bool equal = memcmp(right + problem->low * problem->plane, own, count * sizeof *own) == 0;
  sdsm_compute_end();
  free(right);
  if (!equal) {
    fprintf(stderr, "sdsm-stencil: rank %d: the result differs from the serial program's\n",
            problem->rank);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

enum { STEP, FAULT, PRELOAD, SYNC, FAULTS, BODIES, VALUES };

/* Runs the form on shared memory. */
static void run_shared(const struct problem *problem, run_form *run, double value[VALUES]) {
  struct sdsm_options options = problem->arguments->sdsm;
  const size_t bytes = problem->nz * problem->plane * sizeof(double);
  options.region = 2 * (bytes + options.page);
  sdsm_open(&options, MPI_COMM_WORLD);
  const size_t dims[3] = {problem->nz, problem->shape.ny, problem->shape.nx};
  struct sdsm_array x[2];
  for (int i = 0; i < 2; ++i) {
    x[i] = sdsm_mapalloc(sizeof(double), dims, (int[]){problem->ranks, 1, 1});
    sdsm_compute_begin();
    fill(&problem->shape, (double *)x[i].start + problem->low * problem->plane, problem->low,
         problem->high);
    sdsm_compute_end();
  }
  sdsm_barrier();
  const struct sdsm_counts before = sdsm_counts();
  const double begun = MPI_Wtime();
  const int result = run(problem, x);
  value[STEP] = MPI_Wtime() - begun;
  const struct sdsm_counts after = sdsm_counts();
  value[FAULT] = 1e-9 * (double)(after.fault_ns - before.fault_ns) / options.threads;
  value[PRELOAD] = 1e-9 * (double)(after.preload_ns - before.preload_ns);
  value[SYNC] = 1e-9 * (double)(after.sync_ns - before.sync_ns);
  value[FAULTS] = (double)(after.faults - before.faults);
  value[BODIES] = (double)(after.bodies - before.bodies);
  if (problem->arguments->verify)
    verify(problem, (double *)x[result].start + problem->low * problem->plane);
  sdsm_close();
}

static void run_plain(const struct problem *problem, bool nonblocking, double value[VALUES]) {
  const size_t low = problem->low - (problem->rank > 0);
  const size_t high = problem->high + (problem->rank + 1 < problem->ranks);
  double *x[2];
  for (int i = 0; i < 2; ++i) {
    x[i] = allocate((problem->high - problem->low + 2) * problem->plane * sizeof *x[i]);
    fill(&problem->shape, x[i] + (low + 1 - problem->low) * problem->plane, low, high);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double begun = MPI_Wtime();
  const int result = run_mpi(problem, x, nonblocking);
  value[STEP] = MPI_Wtime() - begun;
  if (problem->arguments->verify)
    verify(problem, x[result] + problem->plane);
  free(x[0]);
  free(x[1]);
}

static void print(const struct problem *problem, const char *form, const double value[VALUES]) {
  double sum[VALUES], slowest;
  MPI_Reduce(value, sum, VALUES, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&value[STEP], &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (problem->rank != 0)
    return;
  const double steps = problem->arguments->steps, mean = 1e6 / problem->ranks / steps;
  printf("form %s points %d page %zu threads %d step_us %.1f compute_us %.1f fault_us %.1f "
         "preload_us %.1f sync_us %.1f faults %.1f bodies %.1f%s\n",
         form, problem->shape.points, problem->arguments->sdsm.page,
         problem->arguments->sdsm.threads, 1e6 * slowest / steps,
         mean * (sum[STEP] - sum[FAULT] - sum[PRELOAD] - sum[SYNC]), mean * sum[FAULT],
         mean * sum[PRELOAD], mean * sum[SYNC], sum[FAULTS] / problem->ranks / steps,
         sum[BODIES] / problem->ranks / steps, problem->arguments->verify ? " right" : "");
}

static const struct {
  const char *name;
  run_form *run; /* or NULL: plain MPI */
  bool variant;  /* with preload; nonblocking */
} forms[] = {
    {"A1", run_a1, false}, {"A1p", run_a1, true}, {"A2", run_a2, false}, {"A2p", run_a2, true},
    {"A3", run_a3, false}, {"A3p", run_a3, true}, {"mpi", NULL, false},  {"mpi-nb", NULL, true},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

static void check_size(const struct problem *problem) {
  const size_t *size = problem->arguments->size;
  if (size[0] >= (size_t)problem->ranks && size[1] >= 3 && size[2] >= 3)
    return;
  if (problem->rank == 0)
    fprintf(stderr, "sdsm-stencil: %zu x %zu x %zu points are too few for %d ranks\n", size[2],
            size[1], size[0], problem->ranks);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  exit(2);
}

int main(int argc, char **argv) {
  const char *words = "A1|A1p|A2|A2p|A3|A3p|mpi|mpi-nb 7|27 ";
  struct arguments arguments = arguments_begin(argc, argv, 3, words);
  int form = 0;
  while (form < FORMS && strcmp(forms[form].name, argv[1]) != 0)
    ++form;
  const int points = atoi(argv[2]);
  if (form == FORMS || (points != 7 && points != 27))
    arguments_usage(argv[0], words);
  struct problem problem = {.arguments = &arguments,
                            .shape = {arguments.size[1], arguments.size[2], points},
                            .nz = arguments.size[0],
                            .plane = arguments.size[1] * arguments.size[2],
                            .preload = forms[form].variant};
  MPI_Comm_rank(MPI_COMM_WORLD, &problem.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &problem.ranks);
  check_size(&problem);
  sdsm_part(problem.nz, problem.ranks, problem.rank, &problem.low, &problem.high);
  problem.aligned = true;
  for (int rank = 1; rank < problem.ranks; ++rank) {
    size_t low, high;
    sdsm_part(problem.nz, problem.ranks, rank, &low, &high);
    problem.aligned &= low * problem.plane * sizeof(double) % arguments.sdsm.page == 0;
  }
  double value[VALUES] = {0};
  if (forms[form].run)
    run_shared(&problem, forms[form].run, value);
  else
    run_plain(&problem, forms[form].variant, value);
  print(&problem, forms[form].name, value);
  MPI_Finalize();
  return 0;
}
