/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* thread_level.h - the level of thread support with which a benchmark begins */
#ifndef THREAD_LEVEL_H
#define THREAD_LEVEL_H

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* MPI_Init; if the environment has BENCH_THREAD_LEVEL=multiple, MPI_Init_thread with
 * MPI_THREAD_MULTIPLE. */
static inline void init_with_level(int *argc, char ***argv) {
  const char *level = getenv("BENCH_THREAD_LEVEL");
  int provided;
  if (!level || strcmp(level, "multiple"))
    MPI_Init(argc, argv);
  else if (MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided) ||
           provided < MPI_THREAD_MULTIPLE)
    MPI_Abort(MPI_COMM_WORLD, 2);
}

#endif
