/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A computation beside a service thread, for compare-service-thread.sh. Each of two ranks has a
 * thread that computes and a thread that waits in MPI_Recv for requests from any source, and
 * answers them. Prints a line:
 *
 *   ALONE BESIDE SERVED LATENCY MEAN
 *
 * ALONE: milliseconds of the computation without the service thread. BESIDE: the same while it
 * waits, without requests. SERVED: the same with a request to the other rank after each millisecond
 * or so. LATENCY, MEAN: microseconds from a request to its answer, median and mean of both ranks.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { PARTS = 500, STEPS = 600000, REQUEST = 1, ANSWER, END };
static MPI_Comm service;
static int rank;
static volatile double result;

/* About a millisecond. */
static void compute(void) {
  double x = 1;
  for (int i = 0; i < STEPS; ++i)
    x = x * 1.0000001 + 1e-9;
  result = x;
}

static void *serve(void *unused) {
  int number;
  MPI_Status status;
  for (;;) {
    MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, service, &status);
    if (status.MPI_TAG == END)
      return unused;
    MPI_Send(&number, 1, MPI_INT, status.MPI_SOURCE, ANSWER, MPI_COMM_WORLD);
  }
}

static void ask(int number) {
  int answer = -1;
  MPI_Send(&number, 1, MPI_INT, 1 - rank, REQUEST, service);
  MPI_Recv(&answer, 1, MPI_INT, 1 - rank, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (answer != number)
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Milliseconds of the slower rank, less those of the requests. */
static double measure(double latencies[]) {
  double waited = 0, time, slower;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < PARTS; ++i) {
    compute();
    if (!latencies)
      continue;
    const double asked = MPI_Wtime();
    ask(i);
    waited += latencies[i] = MPI_Wtime() - asked;
  }
  time = MPI_Wtime() - begin - waited;
  MPI_Allreduce(&time, &slower, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slower * 1e3;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  static double latencies[PARTS], all[2 * PARTS];
  pthread_t thread;
  int level, end = 0;
  double mean = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &service);
  measure(NULL); /* the processor reaches its speed */
  const double alone = measure(NULL);
  pthread_create(&thread, NULL, serve, NULL);
  const double beside = measure(NULL), served = measure(latencies);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&end, 1, MPI_INT, rank, END, service);
  pthread_join(thread, NULL);
  MPI_Gather(latencies, PARTS, MPI_DOUBLE, all, PARTS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  qsort(all, 2 * PARTS, sizeof *all, compare);
  for (int i = 0; i < 2 * PARTS; ++i)
    mean += all[i] / (2 * PARTS);
  if (rank == 0)
    printf("%.1f %.1f %.1f %.1f %.1f\n", alone, beside, served, all[PARTS] * 1e6, mean * 1e6);
  MPI_Comm_free(&service);
  MPI_Finalize();
  return 0;
}
