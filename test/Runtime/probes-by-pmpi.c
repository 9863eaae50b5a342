/* A probe by PMPI is the runtime's. It neither sees nor takes a message from another node that a posted receive from
 * any source waits for. */
#include "check.h"

#include <mpi.h>

enum { ROUNDS = 3000 };

static void receive(int round) {
  int got = -1, done = 0, found;
  MPI_Request request;
  MPI_Message message;
  MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
  while (!done) {
    if (round % 2)
      PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    else
      PMPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &message,
                   MPI_STATUS_IGNORE);
    CHECK(!found);
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }
  CHECK(got == round);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < ROUNDS; ++round)
    if (rank == 0) {
      receive(round);
    } else {
      MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&round, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
  MPI_Finalize();
  if (rank == 0)
    puts("nothing was taken");
  return 0;
}

// RUN: %mpicc %include %s -o %t %runtime %library/mpispec-profiling.ld
// RUN: %both -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 2 %t | FileCheck %s %}
// CHECK: nothing was taken
