/* MPI_THREAD_SERIALIZED: threads take turns. One thread completes what another has started. While one thread is in
 * the MPI library, receives of another go on. */
enum { THREADS = 3, ROUNDS = 40, LARGE = 100000 };

#include "team.h"

#include <string.h>

static int peer, generation;
static int in[LARGE], out[LARGE], word_in, word_out;
static MPI_Request requests[3];

/* The first thread posts, the second sits in a barrier that the peer enters only after its
 * synchronous send has been matched, the third completes. */
static void post(int round) {
  for (int i = 0; i < LARGE; ++i)
    out[i] = rank + round + i;
  word_out = round;
  MPI_Irecv(in, LARGE, MPI_INT, round % 2 ? peer : MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&word_in, 1, MPI_INT, peer, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(out, LARGE, MPI_INT, peer, 1, MPI_COMM_WORLD, &requests[2]);
}

static void sit(void) {
  if (rank % 2 == 0)
    MPI_Ssend(&word_out, 1, MPI_INT, peer, 2, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank % 2)
    MPI_Ssend(&word_out, 1, MPI_INT, peer, 2, MPI_COMM_WORLD);
}

static void complete(int round) {
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  CHECK(word_in == round);
  for (int i = 0; i < LARGE; ++i)
    CHECK(in[i] == peer + round + i);
}

static void *work(void *argument) {
  const int thread = *(int *)argument;
  for (int round = 0; round < ROUNDS; ++round) {
    await_turn((generation * ROUNDS + round) * THREADS + thread);
    if (thread == 0)
      post(round);
    else if (thread == 1)
      sit();
    else
      complete(round);
    end_turn();
  }
  return NULL;
}

int main(int argc, char **argv) {
  int provided, level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Query_thread(&level);
  CHECK(provided == MPI_THREAD_SERIALIZED && level == provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  peer = size - 1 - rank;
  /* New threads in every generation: nothing hangs on one that is gone. */
  for (; generation < 2; ++generation) {
    run_threads(work);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  tell("rank %d took turns", rank);
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes MPIR_CVAR_NUM_CLIQUES=2 %mpirun -n 4 %t | FileCheck %s
// CHECK: rank 1 took turns
