/* Threads of ranks that share a processor sleep while they wait, and wake whoever completes their operation: another
 * rank, or another thread of their own. No sleep ends by itself here, except that of a thread in a collective operation
 * beside another one: a lost wake, or a wait that nobody ends, is a hang. */
#include "check.h"
#include "progress/doorbell.h"
#include "progress/parking.h"
#include "progress/progress.h"
#include "progress/tuning.h"

#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 5, ROUNDS = 300, LONG = 100000 };
static int rank, size;
static MPI_Comm communicators[THREADS];

/* Now one side is late, now the other, by different times in each thread. */
static void be_late(int thread, int round) {
  if ((round + thread) % 3 == rank)
    usleep((useconds_t)(round * 7 + thread * 13) % 300);
}

static void pass(int thread, int round, int bytes) {
  char out[LONG] = {0}, in[LONG] = {0};
  out[0] = out[bytes - 1] = (char)(round + rank);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  be_late(thread, round);
  MPI_Sendrecv(out, bytes, MPI_CHAR, right, 1, in, bytes, MPI_CHAR, left, 1, communicators[thread], MPI_STATUS_IGNORE);
  CHECK(in[0] == (char)(round + left) && in[bytes - 1] == in[0]);
}

static void collect(int thread, int round) {
  int sum = 0;
  be_late(thread, round);
  MPI_Allreduce(&round, &sum, 1, MPI_INT, MPI_SUM, communicators[thread]);
  CHECK(sum == size * round);
}

static void probe(int thread, int round) {
  int in = -1;
  MPI_Status status;
  MPI_Request request;
  be_late(thread, round);
  MPI_Isend(&round, 1, MPI_INT, (rank + 1) % size, 2, communicators[thread], &request);
  MPI_Probe(MPI_ANY_SOURCE, 2, communicators[thread], &status);
  MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, 2, communicators[thread], MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(in == round);
}

static void wait_for_any(int thread, int round) {
  int in[2], index[2];
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i)
    MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, 3 + i, communicators[thread], &requests[i]);
  be_late(thread, round);
  for (int i = 0; i < 2; ++i) {
    MPI_Send(&round, 1, MPI_INT, (rank + 1) % size, 4 - i, communicators[thread]);
    MPI_Waitany(2, requests, &index[i], MPI_STATUS_IGNORE);
  }
  CHECK(in[0] == round && in[1] == round && index[0] != index[1]);
}

static void *run(void *number) {
  const int thread = *(const int *)number;
  for (int round = 0; round < ROUNDS; ++round)
    switch (thread) {
    case 0:
      pass(thread, round, 8);
      break;
    case 1:
      collect(thread, round);
      break;
    case 2:
      probe(thread, round);
      break;
    case 3:
      wait_for_any(thread, round);
      break;
    default:
      round % 2 ? collect(thread, round) : pass(thread, round, LONG);
    }
  return NULL;
}

int main(int argc, char **argv) {
  int level, numbers[THREADS];
  pthread_t threads[THREADS];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  CHECK(level == MPI_THREAD_MULTIPLE);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(mpispec_doorbells_used);
  mpispec_longest_sleep = 0;
  mpispec_awake_rounds = MPISPEC_SPINS_OVERSUBSCRIBED;
  for (int i = 0; i < THREADS; ++i)
    MPI_Comm_dup(MPI_COMM_WORLD, &communicators[i]);
  for (int i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    CHECK(!pthread_create(&threads[i], NULL, run, &numbers[i]));
  }
  for (int i = 0; i < THREADS; ++i)
    CHECK(!pthread_join(threads[i], NULL));
  CHECK(mpispec_doorbell_counts.sleeps > 0 && mpispec_parking_counts.naps > 0 && mpispec_parking_counts.wakes > 0);
  for (int i = 0; i < THREADS; ++i)
    MPI_Comm_free(&communicators[i]);
  mpispec_longest_sleep = 1000 * 1000;
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc %include -I%S %s -o %t %runtime -lpthread
// RUN: for ranks in 2 3; do %mpirun -n $ranks taskset -c 0 %t | FileCheck %s || exit 1; done
// CHECK: passed
