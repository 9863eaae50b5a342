/* Programs of several threads, each of which does `work` with its number. THREADS is their number, defined before
 * this header is included. */
#ifndef MPISPEC_TEST_TEAM_H
#define MPISPEC_TEST_TEAM_H

#include "check.h"

#include <mpi.h>
#include <pthread.h>

static int rank, size;
static MPI_Comm parents[THREADS];

/* In a job of two ranks. */
static inline int other_rank(void) { return rank ^ 1; }

/* The program orders calls of several threads: each call has a number, and waits until its turn. */
static pthread_mutex_t turn_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;
static int turn;

static inline void await_turn(int number) {
  pthread_mutex_lock(&turn_mutex);
  while (turn != number)
    pthread_cond_wait(&turn_changed, &turn_mutex);
  pthread_mutex_unlock(&turn_mutex);
}

static inline void end_turn(void) {
  pthread_mutex_lock(&turn_mutex);
  ++turn;
  pthread_cond_broadcast(&turn_changed);
  pthread_mutex_unlock(&turn_mutex);
}

/* Starts the threads and waits for all. */
static inline void run_threads(void *(*work)(void *number)) {
  int numbers[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    CHECK(!pthread_create(&threads[i], NULL, work, &numbers[i]));
  }
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], NULL);
}

/* A whole program with MPI_THREAD_MULTIPLE; each thread has a communicator of its own. */
static inline void run_team(void *(*work)(void *number)) {
  int provided, is_main;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
  MPI_Is_thread_main(&is_main);
  CHECK(provided == MPI_THREAD_MULTIPLE && is_main);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < THREADS; ++i)
    MPI_Comm_dup(MPI_COMM_WORLD, &parents[i]);
  run_threads(work);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < THREADS; ++i)
    MPI_Comm_free(&parents[i]);
  if (rank == 0)
    puts("all threads came through");
  MPI_Finalize();
}

#endif
