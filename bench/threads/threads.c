/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Measures two ranks whose threads call MPI. One thread of each rank communicates, or several pairs
 * of threads do, each with a communicator of its own or all with MPI_COMM_WORLD. In two rows all
 * threads but one are blocked in MPI_Recv. Messages have 8 B.
 *
 *   threads single|multiple MILLISECONDS
 *
 * Prints "name|nanoseconds" for each row, the median of ROUNDS rounds: the time of a round divided
 * by the messages of all threads. For an exchange and an Allreduce it is the time of one operation.
 * A window is WINDOW messages in one direction, and then a message back. At the level "single" only
 * the rows of one thread are measured. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 11, WINDOW = 64, MOST = 8 };

static int rank;
static double budget; /* seconds a round */
static MPI_Comm own[MOST];

struct part {
  MPI_Comm comm;
  int tag, count;
  void (*body)(struct part *part);
};

static void ping_pong(struct part *part) {
  long word = 0;
  for (int i = 0; i < part->count; ++i) {
    if (rank == 0)
      MPI_Send(&word, 1, MPI_LONG, 1, part->tag, part->comm);
    MPI_Recv(&word, 1, MPI_LONG, 1 - rank, part->tag, part->comm, MPI_STATUS_IGNORE);
    if (rank == 1)
      MPI_Send(&word, 1, MPI_LONG, 0, part->tag, part->comm);
  }
}

static void exchange(struct part *part) {
  long in = 0, out = 0;
  MPI_Request requests[2];
  for (int i = 0; i < part->count; ++i) {
    MPI_Irecv(&in, 1, MPI_LONG, 1 - rank, part->tag, part->comm, &requests[0]);
    MPI_Isend(&out, 1, MPI_LONG, 1 - rank, part->tag, part->comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
}

static void windows(struct part *part) {
  long words[WINDOW] = {0}, back = 0;
  MPI_Request requests[WINDOW];
  for (int i = 0; i < part->count; i += WINDOW) {
    for (int k = 0; k < WINDOW; ++k)
      if (rank == 0)
        MPI_Isend(&words[k], 1, MPI_LONG, 1, part->tag, part->comm, &requests[k]);
      else
        MPI_Irecv(&words[k], 1, MPI_LONG, 0, part->tag, part->comm, &requests[k]);
    MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
    if (rank == 0)
      MPI_Recv(&back, 1, MPI_LONG, 1, part->tag, part->comm, MPI_STATUS_IGNORE);
    else
      MPI_Send(&back, 1, MPI_LONG, 0, part->tag, part->comm);
  }
}

static void allreduce(struct part *part) {
  double in = 1, out;
  for (int i = 0; i < part->count; ++i)
    MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, part->comm);
}

static void *run(void *argument) {
  struct part *part = argument;
  part->body(part);
  return NULL;
}

/* The time of one round in seconds. The calling thread takes part. */
static double round_of(struct part *parts, int threads) {
  pthread_t others[MOST];
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int t = 1; t < threads; ++t)
    pthread_create(&others[t], NULL, run, &parts[t]);
  run(&parts[0]);
  for (int t = 1; t < threads; ++t)
    pthread_join(others[t], NULL);
  double took = MPI_Wtime() - start;
  MPI_Bcast(&took, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return took;
}

static int compare(const void *a, const void *b) {
  const double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

/* `messages`: how many of them, in both directions, each count of a body stands for. */
static void measure(const char *name, void (*body)(struct part *), int threads, int is_shared,
                    double messages) {
  struct part parts[MOST];
  double took, rounds[ROUNDS];
  int count = 2 * WINDOW;
  for (;; count *= 2) {
    for (int t = 0; t < threads; ++t)
      parts[t] = (struct part){is_shared ? MPI_COMM_WORLD : own[t], t, count, body};
    took = round_of(parts, threads);
    if (took > budget)
      break;
  }
  for (int i = 0; i < ROUNDS; ++i)
    rounds[i] = round_of(parts, threads) / count / threads / messages;
  qsort(rounds, ROUNDS, sizeof *rounds, compare);
  if (rank == 0)
    printf("%s|%.1f\n", name, 1e9 * rounds[ROUNDS / 2]);
  fflush(stdout);
}

static void *be_blocked(void *argument) {
  int in = -1;
  MPI_Recv(&in, 1, MPI_INT, 1 - rank, MOST, *(MPI_Comm *)argument, MPI_STATUS_IGNORE);
  if (in != MOST)
    abort();
  return NULL;
}

static void measure_beside_blocked(const char *name, int blocked) {
  pthread_t threads[MOST];
  const int out = MOST;
  for (int t = 1; t <= blocked; ++t)
    pthread_create(&threads[t], NULL, be_blocked, &own[t]);
  measure(name, ping_pong, 1, 0, 2);
  for (int t = 1; t <= blocked; ++t)
    MPI_Send(&out, 1, MPI_INT, 1 - rank, MOST, own[t]);
  for (int t = 1; t <= blocked; ++t)
    pthread_join(threads[t], NULL);
}

static void measure_threads(void) {
  measure("ping-pong, 2 threads, own communicators", ping_pong, 2, 0, 2);
  measure("ping-pong, 2 threads, MPI_COMM_WORLD", ping_pong, 2, 1, 2);
  measure("ping-pong, 4 threads, MPI_COMM_WORLD", ping_pong, 4, 1, 2);
  measure("windows, 2 threads, own communicators", windows, 2, 0, 1);
  measure("windows, 4 threads, own communicators", windows, 4, 0, 1);
  /* Eight threads of two ranks keep sixteen processors busy. */
  if (sysconf(_SC_NPROCESSORS_ONLN) >= 2 * MOST) {
    measure("ping-pong, 4 threads, own communicators", ping_pong, 4, 0, 2);
    measure("ping-pong, 8 threads, own communicators", ping_pong, 8, 0, 2);
    measure("windows, 8 threads, own communicators", windows, 8, 0, 1);
    measure("windows, 4 threads, MPI_COMM_WORLD", windows, 4, 1, 1);
    measure("windows, 8 threads, MPI_COMM_WORLD", windows, 8, 1, 1);
  }
  measure("windows, 2 threads, MPI_COMM_WORLD", windows, 2, 1, 1);
  measure_beside_blocked("ping-pong beside 1 blocked thread", 1);
  measure_beside_blocked("ping-pong beside 3 blocked threads", 3);
}

int main(int argc, char **argv) {
  int provided;
  if (argc < 3)
    return 2;
  const int is_multiple = !strcmp(argv[1], "multiple");
  MPI_Init_thread(&argc, &argv, is_multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  budget = atof(argv[2]) / 1e3;
  for (int t = 0; t < MOST; ++t)
    MPI_Comm_dup(MPI_COMM_WORLD, &own[t]);
  measure("ping-pong, 1 thread", ping_pong, 1, 1, 2);
  measure("exchange, 1 thread", exchange, 1, 1, 1);
  measure("windows, 1 thread", windows, 1, 1, 1);
  measure("Allreduce, 1 thread", allreduce, 1, 1, 1);
  if (provided == MPI_THREAD_MULTIPLE)
    measure_threads();
  for (int t = 0; t < MOST; ++t)
    MPI_Comm_free(&own[t]);
  MPI_Finalize();
  return 0;
}
