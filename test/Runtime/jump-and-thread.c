/* With MPI_THREAD_SERIALIZED, a jump out of an error handler leaves a blocking call of one thread. After a blocking call of
 * another thread, later blocking calls of the first one still make progress with its long receive. */
#include "check.h"

#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 21 };

static jmp_buf before;

static void leap(MPI_Comm *comm, int *error, ...) {
  (void)comm, (void)error;
  longjmp(before, 1);
}

static void *duplicate(void *unused) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_free(&copy);
  return unused;
}

int main(int argc, char **argv) {
  int rank, provided, too_many = 50, periodic = 0;
  char *bytes = malloc(BYTES);
  pthread_t thread;
  MPI_Comm copy, grid;
  MPI_Errhandler handler;
  MPI_Request request;
  MPI_Win win;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_create_errhandler(leap, &handler);
  MPI_Comm_set_errhandler(copy, handler);
  if (!setjmp(before)) {
    MPI_Cart_create(copy, 1, &too_many, &periodic, 0, &grid);
    CHECK(!"no error");
  }
  pthread_create(&thread, NULL, duplicate, NULL);
  pthread_join(thread, NULL);
  memset(bytes, rank + 1, BYTES);
  if (rank == 0)
    MPI_Irecv(bytes, BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1)
    MPI_Send(bytes, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  MPI_Win_create(bytes, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (rank == 0)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_free(&win);
  CHECK(bytes[BYTES - 1] == 2);
  free(bytes);
  MPI_Finalize();
  if (rank == 0)
    tell("the receive went on");
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime -lpthread
// RUN: %both -n 2 %t | FileCheck %s
// CHECK: the receive went on
