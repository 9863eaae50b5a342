/* A wait by PMPI for a send of the library's makes the runtime's progress. At both ends the send's receive, from any
 * source, is the runtime's, and no other call gives it its message. */
#include "check.h"

#include <mpi.h>

enum { ROUNDS = 40 };

static void wait_for(MPI_Request *send, int way) {
  int index, indices[1];
  if (way == 0)
    PMPI_Wait(send, MPI_STATUS_IGNORE);
  else if (way == 1)
    PMPI_Waitall(1, send, MPI_STATUSES_IGNORE);
  else if (way == 2)
    PMPI_Waitany(1, send, &index, MPI_STATUS_IGNORE);
  else
    PMPI_Waitsome(1, send, &index, indices, MPI_STATUSES_IGNORE);
  CHECK(*send == MPI_REQUEST_NULL);
}

static void run(int rank) {
  for (int round = 0; round < ROUNDS; ++round) {
    int got = -1;
    MPI_Request receive, send;
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &receive);
    MPI_Issend(&round, 1, MPI_INT, !rank, 5, MPI_COMM_WORLD, &send);
    wait_for(&send, round % 4);
    PMPI_Wait(&receive, MPI_STATUS_IGNORE);
    CHECK(got == round);
  }
}

int main(int argc, char **argv) {
  int rank, provided;
  MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  run(rank);
  MPI_Finalize();
  if (rank == 0)
    puts("all came");
  return 0;
}

// RUN: %mpicc %include %s -o %t %runtime %library/mpispec-profiling.ld
// RUN: %both -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 2 %t | FileCheck %s %}
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 2 %t threads | FileCheck %s %}
// CHECK: all came
