/* A program of several threads: each does `work` with its number, on a communicator of its own.
 * THREADS says how many, before this is included. */
#ifndef MPISPEC_TEST_TEAM_H
#define MPISPEC_TEST_TEAM_H

#include "check.h"

#include <mpi.h>
#include <pthread.h>

static int rank, size;
static MPI_Comm parents[THREADS];

static inline void run_team(void *(*work)(void *number)) {
  int provided, numbers[THREADS];
  pthread_t threads[THREADS];
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < THREADS; ++i)
    MPI_Comm_dup(MPI_COMM_WORLD, &parents[i]);
  for (int i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    CHECK(!pthread_create(&threads[i], NULL, work, &numbers[i]));
  }
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < THREADS; ++i)
    MPI_Comm_free(&parents[i]);
  if (rank == 0)
    puts("all threads came through");
  MPI_Finalize();
}

#endif
