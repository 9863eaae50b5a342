/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* situations.c - six situations, each with one known cause of the time it takes
 *
 *   situations NAME [MILLISECONDS]
 *
 * Each step sleeps or computes, and then calls collective operations. MILLISECONDS is the time of a
 * step without the planted cause. The program prints the seconds of a step on the slowest rank. If
 * calls are the cause, it also prints the seconds of a step inside them. measure-advice.py runs it.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  MOST_RANKS = 16,
  SHORT = 1024,       /* numbers to each rank: 8 KiB */
  LONG = 1024 * 1024, /* 8 MiB */
  TINY = 32,
  TINY_CALLS_OF_STEP = 4000
};

static double *out, *in;
static int rank, ranks, milliseconds = 20;
static double inside; /* seconds in the calls of all steps, by the program's own clock */

static void sleep_for(int duration) {
  struct timespec time = {duration / 1000, duration % 1000 * 1000000L};
  while (nanosleep(&time, &time))
    ;
}

/* Computes for so long on a core that nothing else uses. */
static void compute_for(int duration) {
  volatile double sum = 0;
  struct timespec began, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &began);
  do {
    for (int i = 0; i < 1000; ++i)
      sum += i;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while ((now.tv_sec - began.tv_sec) * 1000.0 + (now.tv_nsec - began.tv_nsec) / 1e6 < duration);
}

static void exchange(int numbers) {
  MPI_Alltoall(out, numbers, MPI_DOUBLE, in, numbers, MPI_DOUBLE, MPI_COMM_WORLD);
}

/* The last rank comes later than the others by the time of a step. */
static void slow_rank(void) {
  sleep_for(rank == ranks - 1 ? 2 * milliseconds : milliseconds);
  exchange(SHORT);
}

/* The length makes the root necessary: with few bytes the other ranks would wait in a later call.
 */
static void slow_root(void) {
  sleep_for(rank == 0 ? 2 * milliseconds : milliseconds);
  MPI_Reduce(out, in, LONG / 16, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void transfer(void) {
  sleep_for(milliseconds);
  inside -= MPI_Wtime();
  exchange(LONG);
  inside += MPI_Wtime();
}

static void tiny_calls(void) {
  sleep_for(milliseconds);
  inside -= MPI_Wtime();
  for (int i = 0; i < TINY_CALLS_OF_STEP; ++i)
    exchange(TINY);
  inside += MPI_Wtime();
}

static void computing(void) {
  compute_for(milliseconds);
  exchange(SHORT);
}

static void nothing_wrong(void) {
  sleep_for(milliseconds);
  exchange(SHORT);
}

static const struct {
  const char *name;
  void (*step)(void);
  int steps;
} situations[] = {{"slow-rank", slow_rank, 40},    {"slow-root", slow_root, 40},
                  {"transfer", transfer, 40},      {"tiny-calls", tiny_calls, 40},
                  {"shared-cores", computing, 20}, {"nothing", nothing_wrong, 80}};

static int index_of(const char *name) {
  for (size_t i = 0; i < sizeof situations / sizeof *situations; ++i)
    if (!strcmp(name, situations[i].name))
      return (int)i;
  return -1;
}

int main(int argc, char **argv) {
  const int chosen = argc > 1 ? index_of(argv[1]) : -1;
  if (argc > 2)
    milliseconds = atoi(argv[2]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (chosen < 0 || ranks > MOST_RANKS) {
    fprintf(stderr, "usage: situations NAME [MILLISECONDS], on at most %d ranks\n", MOST_RANKS);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  out = calloc((size_t)ranks * LONG, sizeof *out);
  in = calloc((size_t)ranks * LONG, sizeof *in);
  if (!out || !in)
    MPI_Abort(MPI_COMM_WORLD, 1);
  memset(out, 1, (size_t)ranks * LONG * sizeof *out);
  memset(in, 1, (size_t)ranks * LONG * sizeof *in);
  MPI_Barrier(MPI_COMM_WORLD);
  double taken = -MPI_Wtime(), longest = 0;
  for (int i = 0; i < situations[chosen].steps; ++i)
    situations[chosen].step();
  taken += MPI_Wtime();
  MPI_Reduce(&taken, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("seconds %.9f inside %.9f\n", longest / situations[chosen].steps,
           inside / situations[chosen].steps);
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
