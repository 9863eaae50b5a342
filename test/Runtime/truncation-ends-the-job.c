/* Truncation under the default handler ends the job, as without lanes. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x[4] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    MPI_Send(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
  else
    MPI_Recv(x, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

// The message is MPICH's.
// REQUIRES: mpich
//
// RUN: %mpicc %s -o %t %runtime
// mpiexec may lose what a rank says last, so that goes to a file.
// RUN: rm -f %t.1 %t.2
// RUN: not env MPISPEC_MODE=lanes %mpirun -n 2 sh -c 'exec %t 2>>%t.1'
// RUN: FileCheck %s <%t.1
// RUN: %if nodes %{ not env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 sh -c 'exec %t 2>>%t.2' %}
// RUN: %if nodes %{ FileCheck %s <%t.2 %}
// CHECK: Message truncated
