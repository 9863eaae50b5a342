/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kernel.c - see kernel.h */
#include "kernel.h"
#include "cores.h"
#include "handoff.h"
#include "split.h"
#include "thread_level.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int rank, size, repetitions = 1;
static double started, best = 1e9;

void kernel_begin(int *argc, char ***argv) {
  init_with_level(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size <= sysconf(_SC_NPROCESSORS_ONLN))
    bind_to_core(rank);
  if (*argc > 1)
    repetitions = atoi((*argv)[1]);
}

int kernel_repeats(void) { return repetitions-- > 0; }

void kernel_start(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  split_start();
  started = MPI_Wtime();
}

void kernel_stop(void) {
  double took = MPI_Wtime() - started, longest;
  split_stop();
  MPI_Allreduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (longest < best) {
    best = longest;
    split_keep(longest);
  }
}

int kernel_end(int right, const char *format, double result) {
  int all_right;
  MPI_Reduce(&right, &all_right, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
  const double handoff = handoff_nanoseconds();
  if (rank == 0) {
    printf(format, result);
    printf("\n%s\nseconds %.9f\nhandoff %.2f\n", all_right ? "right" : "WRONG", best, handoff);
  }
  split_print(rank);
  fflush(stdout);
  MPI_Finalize();
  return rank == 0 && !all_right;
}
