/* While a rank waits in a collective operation, other work goes on: messages in lanes, long offers, operations of the
 * MPI library. Several threads may be in several collective operations. */
#define _GNU_SOURCE
#include "check.h"

#include <mpi.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { LONG = 300000 };
static int rank, size, level;
static int in[LONG], out[LONG];

/* A synchronous send must find its receive while the receiver is in each of the operations. */
static void sends_into(int count, int operation) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int last = size - 1;
  double x = 1, y[64];
  memset(in, -1, sizeof in);
  if (rank == 0)
    MPI_Irecv(in, count, MPI_INT, last, 0, MPI_COMM_WORLD, &request);
  if (rank == last) {
    for (int i = 0; i < count; ++i)
      out[i] = i + operation;
    usleep(3000);
    MPI_Ssend(out, count, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  switch (operation) {
  case 0:
    MPI_Barrier(MPI_COMM_WORLD);
    break;
  case 1:
    MPI_Allreduce(&x, y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    break;
  case 2:
    MPI_Bcast(&x, 1, MPI_DOUBLE, last, MPI_COMM_WORLD);
    break;
  case 3:
    MPI_Alltoall(y, 0, MPI_DOUBLE, y, 0, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Allgather(&x, 1, MPI_DOUBLE, y, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    break;
  case 4:
    MPI_Reduce(&x, y, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; rank == 0 && i < count; ++i)
    CHECK(in[i] == i + operation);
}

/* The library's nonblocking operations on the same communicator, begun before, ended after: one
 * rank waits for them while the others are in ours. */
static void library_beside(void) {
  MPI_Request requests[2];
  int one = 1, sum = 0, mine = rank, all = 0;
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
  if (rank == 0)
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank)
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(sum == size && all == size * (size - 1) / 2);
}

/* A message that is on its way when the operation begins, and overtakes nothing. */
static void traffic(void) {
  MPI_Request requests[20];
  int to = (rank + 1) % size, from = (rank + size - 1) % size, words[10], got[10];
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 10; ++i) {
      words[i] = round * 100 + i;
      MPI_Isend(&words[i], 1, MPI_INT, to, i % 3, MPI_COMM_WORLD, &requests[i]);
    }
    double x = rank, sum;
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 10; ++i)
      MPI_Irecv(&got[i], 1, MPI_INT, from, i % 3, MPI_COMM_WORLD, &requests[10 + i]);
    MPI_Bcast(&x, 1, MPI_DOUBLE, round % size, MPI_COMM_WORLD);
    MPI_Waitall(20, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 10; ++i)
      CHECK(got[i] == words[i]);
    CHECK(x == round % size && sum == size * (size - 1) / 2);
  }
}

/* Two threads, each with a communicator of its own; on odd ranks they begin the other way round. */
static void *in_thread(void *comm) {
  for (int i = 0; i < 50; ++i) {
    double x = i, sum, big[600];
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, *(MPI_Comm *)comm);
    CHECK(sum == (double)i * size);
    for (int k = 0; k < 600; ++k)
      big[k] = rank == i % size ? k + i : -1;
    MPI_Bcast(big, 600, MPI_DOUBLE, i % size, *(MPI_Comm *)comm);
    CHECK(big[599] == 599 + i);
    MPI_Barrier(*(MPI_Comm *)comm);
  }
  return NULL;
}

static void two_threads(void) {
  MPI_Comm comms[2];
  pthread_t threads[2];
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  for (int i = 0; i < 2; ++i)
    CHECK(!pthread_create(&threads[i], NULL, in_thread, &comms[(i + rank) % 2]));
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  MPI_Comm_free(&comms[0]);
  MPI_Comm_free(&comms[1]);
}

int main(int argc, char **argv) {
  MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int operation = 0; operation < 5; ++operation) {
    sends_into(1, operation);
    sends_into(LONG, operation);
  }
  library_beside();
  traffic();
  if (level == MPI_THREAD_MULTIPLE)
    two_threads();
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -I%S -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t threads | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 3 %t | FileCheck %s %}
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 3 %t threads | FileCheck %s %}
// CHECK: passed
