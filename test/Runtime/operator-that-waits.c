/* With MPI_THREAD_MULTIPLE, the program's reduction function waits for another thread, which calls MPI meanwhile. The library
 * executes the function in whatever call polls it. */
#include "check.h"

#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void *probe(void *unused) {
  int flag;
  MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  return unused;
}

static void add(void *in, void *inout, int *length, MPI_Datatype *type) {
  pthread_t thread;
  (void)type;
  pthread_create(&thread, NULL, probe, NULL);
  pthread_join(thread, NULL);
  for (int i = 0; i < *length; ++i)
    ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv) {
  int rank, provided, one = 1, sum = 0, word = 0;
  MPI_Op op;
  MPI_Request request;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Op_create(add, 1, &op);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int round = 0; round < 3; ++round) {
    if (rank == 1)
      usleep(50000);
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &request);
    if (rank == 1) { /* meanwhile rank 0 waits in a receive of the runtime */
      usleep(100000);
      MPI_Send(&word, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    } else {
      MPI_Recv(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == 2);
  }
  MPI_Op_free(&op);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// RUN: %mpicc -w %include %s -o %t %runtime -lpthread
// RUN: %both -n 2 %t | FileCheck %s
// CHECK: passed
