// A program's own functions may have names of the C library's that the runtime could use: not called by
// it.
#include <mpi.h>
#include <stdio.h>

void send(int *value, int to) { MPI_Send(value, 1, MPI_INT, to, 0, MPI_COMM_WORLD); }
void recv(int *value, int from) {
  MPI_Recv(value, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank, value = 42;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    send(&value, 1);
  value = 0;
  if (rank == 1) {
    recv(&value, 0);
    printf("received %d\n", value);
  }
  MPI_Finalize();
}

// Open MPI and MPICH 5 call such functions themselves, so that the plain program fails.
// RUN: mpicc -O2 %s -o %t.plain && %mpispec mpicc -O2 %s -o %t
// RUN: if %mpirun -n 2 %t.plain >%t.out 2>&1; then %mpirun -n 2 %t | FileCheck %s; fi
// CHECK: received 42
