/* The order of messages of several threads on one communicator: MPI-4.0, 3.5. Sends of two threads that the program
 * orders do not overtake each other, and neither do receives. Two threads that probe the same message and then receive
 * get two messages. */
enum { THREADS = 3, ROUNDS = 300, LARGE = 20000 };

#include "team.h"

/* Short and long messages, which travel in different ways. */
static int length_of(int i) { return i % 5 ? 1 + i % 30 : LARGE; }

/* The sends are of all threads in turn, the receives of one. */
static void order_sends(int thread) {
  static int out[LARGE], in[LARGE];
  for (int i = 0; i < ROUNDS; ++i) {
    if (rank == 0 && i % THREADS == thread) {
      await_turn(i);
      out[0] = i;
      MPI_Send(out, length_of(i), MPI_INT, other_rank(), 1, MPI_COMM_WORLD);
      end_turn();
    } else if (rank == 1 && thread == 0) {
      int count;
      MPI_Status status;
      MPI_Recv(in, LARGE, MPI_INT, MPI_ANY_SOURCE, i % 2 ? 1 : MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_INT, &count);
      CHECK(in[0] == i && count == length_of(i));
    }
  }
}

/* The receives are posted by all threads in turn, and each thread completes its own. */
static void order_receives(int thread) {
  static int in[ROUNDS][40], out[40];
  MPI_Request requests[ROUNDS];
  int posted = 0;
  for (int i = 0; i < ROUNDS; ++i)
    if (rank == 1 && i % THREADS == thread) {
      await_turn(i);
      MPI_Irecv(in[i], 40, MPI_INT, i % 2 ? 0 : MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[posted++]);
      end_turn();
    }
  for (int i = 0; i < ROUNDS && rank == 0 && thread == 0; ++i) {
    out[0] = i;
    MPI_Send(out, 1 + i % 40, MPI_INT, other_rank(), 2, MPI_COMM_WORLD);
  }
  MPI_Waitall(posted, requests, MPI_STATUSES_IGNORE);
  for (int i = thread; i < ROUNDS && rank == 1; i += THREADS)
    CHECK(in[i][0] == i);
}

/* Two threads may see the same message in a probe. Their receives still get one each. */
static void probe_the_same(int thread) {
  static _Atomic int taken[2 * ROUNDS];
  for (int i = 0; i < ROUNDS; ++i) {
    int value = -1;
    MPI_Status status;
    if (thread == 2) {
      for (int k = 0; k < 2; ++k) {
        value = 2 * i + k;
        MPI_Send(&value, 1, MPI_INT, other_rank(), 3, parents[0]);
      }
      continue;
    }
    MPI_Probe(other_rank(), MPI_ANY_TAG, parents[0], &status);
    CHECK(status.MPI_TAG == 3);
    MPI_Recv(&value, 1, MPI_INT, other_rank(), 3, parents[0], MPI_STATUS_IGNORE);
    CHECK(value >= 0 && value < 2 * ROUNDS && taken[value]++ == 0);
  }
}

static pthread_barrier_t barrier;

static void *work(void *argument) {
  const int thread = *(int *)argument;
  order_sends(thread);
  pthread_barrier_wait(&barrier);
  if (thread == 0) {
    turn = 0;
    MPI_Barrier(parents[1]);
  }
  pthread_barrier_wait(&barrier);
  order_receives(thread);
  probe_the_same(thread);
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, THREADS);
  run_team(work);
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime -lpthread
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: %mpirun -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t | FileCheck %s %}
// CHECK: all threads came through
