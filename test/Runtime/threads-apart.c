/* MPI_THREAD_MULTIPLE: threads of a rank that do different things at a time. One sits in
 * collectives of the MPI library, others probe, wait for arrays, cancel, start and test; none holds
 * up another. */
#include "check.h"

#include <mpi.h>
#include <pthread.h>
#include <string.h>

enum { ROUNDS = 150, LARGE = 30000 };
static int rank, size, peer;
static MPI_Comm comms[4];

static void *collectives(void *comm) {
  for (int i = 0; i < ROUNDS; ++i) {
    int sum = 0;
    MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, *(MPI_Comm *)comm);
    CHECK(sum == i * size);
  }
  return NULL;
}

static void *probes(void *comm_) {
  MPI_Comm comm = *(MPI_Comm *)comm_;
  for (int i = 0; i < ROUNDS; ++i) {
    int out = rank + i, in = -1;
    MPI_Request request;
    MPI_Message message;
    MPI_Status status;
    MPI_Issend(&out, 1, MPI_INT, peer, i % 5, comm, &request);
    MPI_Mprobe(i % 2 ? peer : MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message, &status);
    CHECK(status.MPI_TAG == i % 5 && status.MPI_SOURCE == peer);
    MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    CHECK(in == peer + i);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return NULL;
}

static void *arrays(void *comm_) {
  MPI_Comm comm = *(MPI_Comm *)comm_;
  enum { MANY = 6 };
  static int in[MANY][LARGE], out[LARGE];
  for (int i = 0; i < ROUNDS / 10; ++i) {
    MPI_Request requests[2 * MANY];
    int count, indices[2 * MANY], left = 2 * MANY;
    for (int k = 0; k < MANY; ++k)
      MPI_Irecv(in[k], LARGE, MPI_INT, k % 2 ? peer : MPI_ANY_SOURCE, k, comm, &requests[k]);
    for (int k = 0; k < LARGE; ++k)
      out[k] = rank + i + k;
    for (int k = 0; k < MANY; ++k)
      MPI_Isend(out, k % 3 ? LARGE : 10, MPI_INT, peer, k, comm, &requests[MANY + k]);
    for (; left > 0; left -= count) {
      if (i % 2)
        MPI_Waitsome(2 * MANY, requests, &count, indices, MPI_STATUSES_IGNORE);
      else
        MPI_Testsome(2 * MANY, requests, &count, indices, MPI_STATUSES_IGNORE);
    }
    for (int k = 0; k < MANY; ++k)
      CHECK(in[k][k % 3 ? LARGE - 1 : 9] == peer + i + (k % 3 ? LARGE - 1 : 9));
  }
  return NULL;
}

static void *restarts(void *comm_) {
  MPI_Comm comm = *(MPI_Comm *)comm_;
  int in = -1, out, never, flag;
  MPI_Request requests[2], hopeless;
  MPI_Status status;
  MPI_Recv_init(&in, 1, MPI_INT, peer, 3, comm, &requests[0]);
  MPI_Ssend_init(&out, 1, MPI_INT, peer, 3, comm, &requests[1]);
  for (out = 0; out < ROUNDS; ++out) {
    MPI_Irecv(&never, 1, MPI_INT, MPI_ANY_SOURCE, 4, comm, &hopeless);
    MPI_Startall(2, requests);
    for (flag = 0; !flag;)
      MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    CHECK(in == out);
    MPI_Cancel(&hopeless);
    MPI_Wait(&hopeless, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  return NULL;
}

int main(int argc, char **argv) {
  int provided;
  pthread_t threads[4];
  void *(*const jobs[4])(void *) = {collectives, probes, arrays, restarts};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  peer = size - 1 - rank;
  for (int i = 0; i < 4; ++i)
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (int i = 0; i < 4; ++i)
    CHECK(!pthread_create(&threads[i], NULL, jobs[i], &comms[i]));
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < 4; ++i)
    MPI_Comm_free(&comms[i]);
  MPI_Finalize();
  tell("rank %d's threads did", rank);
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t | FileCheck %s %}
// CHECK: rank 1's threads did
