/* Persistent requests restarted a hundred thousand times: same requests, nothing grows. */
#include "check.h"

#include <mpi.h>

static void restart(int peer, int rounds) {
  int in = -1, out;
  MPI_Request requests[2];
  MPI_Recv_init(&in, 1, MPI_INT, peer, 4, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(&out, 1, MPI_INT, peer, 4, MPI_COMM_WORLD, &requests[1]);
  const MPI_Request first = requests[0], second = requests[1];
  for (out = 0; out < rounds; ++out) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(in == out && requests[0] == first && requests[1] == second);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  CHECK(requests[0] == MPI_REQUEST_NULL);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  restart(rank, 100000); /* to oneself: a busy machine takes turns slowly */
  restart(rank ^ 1, 1000);
  MPI_Finalize();
  if (rank == 0)
    puts("restarted");
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t | FileCheck %s
// CHECK: restarted
