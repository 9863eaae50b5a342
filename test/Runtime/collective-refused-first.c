/* A communicator's first collective operation has arguments that the MPI library refuses on one rank. That rank gets
 * the error at once, and the communicator serves later operations. */
#include "check.h"

#include <mpi.h>

static int rank, in[8], out[8];

enum { ROOT_TOO_LARGE, NEGATIVE_COUNT, REDUCE, NO_OPERATION, GATHER, SCATTER, ALLTOALL, SCAN, NO_DATATYPE, BLOCK, CASES };

static int refused(int which, MPI_Comm comm) {
  switch (which) {
  case ROOT_TOO_LARGE:
    return MPI_Bcast(in, 1, MPI_INT, 99, comm);
  case NEGATIVE_COUNT:
    return MPI_Bcast(in, -1, MPI_INT, 0, comm);
  case NO_DATATYPE:
    return MPI_Bcast(in, 1, MPI_DATATYPE_NULL, 0, comm);
  case REDUCE:
    return MPI_Reduce(in, out, 1, MPI_INT, MPI_SUM, -5, comm);
  case NO_OPERATION:
    return MPI_Allreduce(in, out, 1, MPI_INT, MPI_OP_NULL, comm);
  case GATHER:
    return MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, 2, comm);
  case SCATTER:
    return MPI_Scatter(in, 1, MPI_INT, out, -1, MPI_INT, 0, comm);
  case ALLTOALL:
    return MPI_Alltoall(in, 1, MPI_INT, out, -1, MPI_INT, comm);
  case SCAN:
    return MPI_Scan(in, out, 1, MPI_INT, MPI_OP_NULL, comm);
  default:
    return MPI_Reduce_scatter_block(in, out, 1, MPI_DATATYPE_NULL, MPI_SUM, comm);
  }
}

/* An argument leaves out null datatypes, over which MPICH 5 ends with a signal. */
int main(int argc, char **argv) {
  const int cases = argc > 1 ? NO_DATATYPE : CASES;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int which = 0; which < cases; ++which) {
    MPI_Comm comm;
    MPI_Request request;
    int token = 0, sum = 0;
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request); /* its members agree in their first collective operation */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (!rank) {
      CHECK(refused(which, comm) != MPI_SUCCESS);
      MPI_Send(&token, 1, MPI_INT, 1, which, comm);
    } else {
      MPI_Recv(&token, 1, MPI_INT, 0, which, comm, MPI_STATUS_IGNORE);
    }
    rank += 1;
    CHECK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && sum == 3);
    rank -= 1;
    MPI_Comm_free(&comm);
  }
  MPI_Finalize();
  return passed();
}

// LABEL: core
//
// RUN: %mpicc %include -I%S %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t %if mpich5 || abi %{no-null-types%} | FileCheck %s
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t %if mpich5 || abi %{no-null-types%} | FileCheck %s
// CHECK: passed
// CHECK: passed
