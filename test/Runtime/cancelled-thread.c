/* A thread is cancelled while it waits in MPI_Recv, for longer than the runtime's interval between two looks at the
 * sender. MPI_Recv is no cancellation point: the thread gets its message first, and leaves no lock behind. */
#include "check.h"

#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static MPI_Comm own;
static int received;

static void *serve(void *unused) {
  for (int number;; ++received) {
    (void)unused;
    pthread_testcancel();
    MPI_Recv(&number, 1, MPI_INT, 1, 5, own, MPI_STATUS_IGNORE);
  }
  return NULL;
}

static void cancel_server(void) {
  pthread_t server;
  void *result;
  int number = 1;
  CHECK(!pthread_create(&server, NULL, serve, NULL));
  usleep(200 * 1000); /* the thread most likely waits by now */
  pthread_cancel(server);
  MPI_Send(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  pthread_join(server, &result);
  CHECK(result == PTHREAD_CANCELED);
  if (!received) /* it was cancelled before its receive */
    MPI_Recv(&number, 1, MPI_INT, 1, 5, own, MPI_STATUS_IGNORE);
  MPI_Send(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
}

static void send_late(void) {
  int number;
  MPI_Recv(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  usleep(1600 * 1000);
  MPI_Send(&number, 1, MPI_INT, 0, 5, own);
  MPI_Recv(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank, provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  rank ? send_late() : cancel_server();
  MPI_Comm_free(&own);
  if (rank == 0)
    passed();
  MPI_Finalize();
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
