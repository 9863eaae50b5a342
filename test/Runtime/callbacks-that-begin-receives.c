/* With MPI_THREAD_MULTIPLE, a callback of a blocking function of the library posts a receive. The helper receives its
 * message while the function still waits for the sender. No other thread has called MPI. */
#include "check.h"

#include <mpi.h>

static int rank, received;
static MPI_Request saved = MPI_REQUEST_NULL;

static int copied(MPI_Comm comm, int key, void *extra, void *value, void *copy, int *flag) {
  (void)comm, (void)key, (void)extra;
  *(void **)copy = value;
  *flag = 1;
  if (rank == 0)
    MPI_Irecv(&received, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &saved);
  return MPI_SUCCESS;
}

int main(int argc, char **argv) {
  int level, key, out = 7;
  MPI_Comm one, other;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_keyval(copied, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  MPI_Comm_set_attr(one, key, &key);
  for (int round = 0; round < 3; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
      MPI_Ssend(&out, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
    MPI_Comm_dup(one, &other);
    MPI_Wait(&saved, MPI_STATUS_IGNORE);
    CHECK(rank || received == 7);
    MPI_Comm_free(&other);
    received = 0;
  }
  MPI_Comm_free(&one);
  MPI_Comm_free_keyval(&key);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
