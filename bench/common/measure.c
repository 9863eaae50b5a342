/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* measure.c - see measure.h. Works with any MPI. */
#include "measure.h"
#include "cores.h"
#include "handoff.h"
#include "thread_level.h"
#include <stdio.h>
#include <string.h>

enum { REPETITIONS = 7, MOST_WINDOWS = 4 };
static double budget; /* seconds a repetition */
static MPI_Win windows[MOST_WINDOWS];
static int window_count;

static int my_rank(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static void tell_handoff(const char *name) {
  const double handoff = handoff_nanoseconds();
  if (my_rank() == 0)
    printf("%s %.2f\n", name, handoff);
}

void measure_begin(int *argc, char ***argv, double milliseconds) {
  int ranks;
  init_with_level(argc, argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2) {
    fprintf(stderr, "%s: needs 2 ranks\n", **argv);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  bind_to_core(my_rank());
  budget = milliseconds / 1000;
  tell_handoff("handoff-before");
}

void measure_end(void) {
  tell_handoff("handoff");
  while (window_count > 0)
    MPI_Win_free(&windows[--window_count]);
  MPI_Finalize();
}

static double seconds_of(void (*body)(int rounds, int bytes), int rounds, int bytes) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  body(rounds, bytes);
  return MPI_Wtime() - start;
}

/* The number of rounds that fill the budget: all ranks use rank 0's number. */
static int rounds_for_budget(void (*body)(int rounds, int bytes), int bytes) {
  int rounds = 4, enough = 0;
  while (!enough) {
    const double took = seconds_of(body, rounds, bytes);
    enough = took > budget / 2 || rounds > 10000000;
    if (!enough)
      rounds = took < budget / 20 ? rounds * 10 : (int)(rounds * budget / took) + 1;
    MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&rounds, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  return rounds;
}

double measure_best(void (*body)(int rounds, int bytes), int bytes) {
  const int rounds = rounds_for_budget(body, bytes);
  double best = 1e9;
  for (int i = 0; i < REPETITIONS; ++i) {
    const double took = seconds_of(body, rounds, bytes) / rounds;
    best = took < best ? took : best;
  }
  return best;
}

void measure_tell(const char *name, int bytes, double seconds) {
  if (my_rank() == 0) {
    printf("%s-%d %.2f\n", name, bytes, seconds * 1e9);
    fflush(stdout);
  }
}

void *measure_shared(MPI_Aint bytes) {
  void *memory;
  MPI_Aint size;
  int unit;
  MPI_Win *window = &windows[window_count++];
  MPI_Win_allocate_shared(my_rank() ? 0 : bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, window);
  MPI_Win_shared_query(*window, 0, &size, &unit, &memory);
  if (my_rank() == 0)
    memset(memory, 0, (size_t)bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  return memory;
}
