/* A root that leads its node sends to the other nodes before it serves its own: rank 2, on the root's node, does not
 * enter the operation before rank 1, on the other node, has the data. (No program may rely on that.) */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { MOST = 1 << 20, TAG = 7 };

int main(int argc, char **argv) {
  static const int lengths[] = {1, 1000, 100000, MOST};
  static unsigned char bytes[MOST];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(bytes, 1, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 4; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    memset(bytes, rank ? 0 : 10 + i, MOST);
    if (rank == 2)
      MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(bytes, lengths[i], MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank == 1)
      MPI_Send(NULL, 0, MPI_BYTE, 2, TAG, MPI_COMM_WORLD);
    CHECK(bytes[0] == 10 + i && bytes[lengths[i] - 1] == 10 + i);
  }
  MPI_Finalize();
  return rank ? 0 : passed();
}

// REQUIRES: nodes
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t | FileCheck %s
// CHECK: passed
