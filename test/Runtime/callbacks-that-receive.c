/* The deletion callback of an attribute receives a message of the communicator that is being freed: one that the program
 * has set, and one that a duplicate has inherited (MPI-4.0, section 7.7). */
#include "check.h"

#include <mpi.h>

static int rank, received;

static int receive(MPI_Comm comm, int keyval, void *value, void *extra) {
  int number = -1, flag = 0;
  (void)keyval, (void)value, (void)extra;
  if (rank == 0)
    return MPI_SUCCESS;
  while (!flag)
    MPI_Iprobe(0, 3, comm, &flag, MPI_STATUS_IGNORE);
  MPI_Recv(&number, 1, MPI_INT, 0, 3, comm, MPI_STATUS_IGNORE);
  CHECK(number == 42);
  ++received;
  return MPI_SUCCESS;
}

static void send_and_free(MPI_Comm *comm, int way) {
  const int number = 42;
  if (rank == 0)
    MPI_Send(&number, 1, MPI_INT, 1, 3, *comm);
  MPI_Barrier(MPI_COMM_WORLD);
  (way == 1 ? MPI_Comm_disconnect : MPI_Comm_free)(comm);
}

int main(int argc, char **argv) {
  int keyval;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, receive, &keyval, NULL);
  for (int way = 0; way < 3; ++way) {
    MPI_Comm parent, child;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    MPI_Comm_set_attr(parent, keyval, NULL);
    if (way == 2) {
      MPI_Comm_idup(parent, &child, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      MPI_Comm_dup(parent, &child);
    }
    send_and_free(&child, way);
    send_and_free(&parent, way);
  }
  CHECK(received == 6 * rank);
  MPI_Comm_free_keyval(&keyval);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w -I%S %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
