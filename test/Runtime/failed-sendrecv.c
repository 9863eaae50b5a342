/* The send of a Sendrecv or Isendrecv fails because of its arguments. Then no receive is left behind: a message that
 * would have matched it goes to a later receive, and the first buffer stays as it is. */
#include "check.h"

#include <mpi.h>

int main(int argc, char **argv) {
  int rank, lost = -1, found = -1, number = 7;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int way = 0; way < 4; ++way) {
    const int tag = way % 2 ? -5 : 3, peer = way % 2 ? 1 - rank : 17;
    int error;
    if (way < 2)
      error = MPI_Isendrecv(&number, 1, MPI_INT, peer, tag, &lost, 1, MPI_INT, 1 - rank, 4,
                            MPI_COMM_WORLD, &request);
    else
      error = MPI_Sendrecv(&number, 1, MPI_INT, peer, tag, &lost, 1, MPI_INT, 1 - rank, 4,
                           MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(error != MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&number, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD);
    MPI_Recv(&found, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(found == number && lost == -1);
    ++number;
  }
  MPI_Finalize();
  return rank ? 0 : passed();
}

// REQUIRES: mpi4
// RUN: %mpicc -w -I%S %s -o %t %runtime
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
