/* One thread of a rank waits in the MPI library for a message between communicators. Then another thread posts a
 * receive of the runtime and does nothing more. A third rank's synchronous send to it must end, because this rank
 * sends only then the message that the first thread waits for. */
#include "check.h"

#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static MPI_Comm between; /* an intercommunicator: the library's business */
static int rank, way;

static void *wait_in_library(void *argument) {
  int in = -1, index, count;
  MPI_Status status;
  MPI_Request request;
  if (way == 0) {
    MPI_Recv(&in, 1, MPI_INT, 0, 1, between, MPI_STATUS_IGNORE);
  } else if (way == 1) {
    MPI_Probe(0, 1, between, &status);
    MPI_Recv(&in, 1, MPI_INT, 0, 1, between, MPI_STATUS_IGNORE);
  } else {
    MPI_Irecv(&in, 1, MPI_INT, 0, 1, between, &request);
    if (way == 2)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    else if (way == 3)
      MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    else if (way == 4)
      MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
    else
      MPI_Waitsome(1, &request, &count, &index, MPI_STATUSES_IGNORE);
  }
  CHECK(in == way);
  return argument;
}

static void be_waited_for(void) {
  static char big[300000];
  int in = -1;
  pthread_t thread;
  MPI_Request requests[2];
  pthread_create(&thread, NULL, wait_in_library, NULL);
  usleep(20000);
  MPI_Irecv(&in, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(big, sizeof big, MPI_BYTE, 0, 3, MPI_COMM_WORLD, &requests[1]);
  pthread_join(thread, NULL);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(in == way && big[299999] == 9);
}

static void wait_for_it(void) {
  static char big[300000];
  big[299999] = 9;
  MPI_Ssend(&way, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
  MPI_Ssend(big, sizeof big, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
  MPI_Send(&way, 1, MPI_INT, 0, 1, between);
}

int main(int argc, char **argv) {
  int provided;
  MPI_Comm half;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank, 0, &between);
  for (way = 0; way < 6; ++way)
    rank ? be_waited_for() : wait_for_it();
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
  if (rank == 0)
    puts("nobody waited in vain");
  MPI_Finalize();
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// CHECK: nobody waited in vain
