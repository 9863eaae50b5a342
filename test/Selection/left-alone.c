// Calls that are not rewritten, whatever is known about them.
#include <mpi.h>

int number;

void left(MPI_Comm comm, MPI_Request *request) {
  MPI_Start(request);
  if (sizeof(int) == 1)
    MPI_Send(&number, 1, MPI_INT, 0, 0, comm);
}

static void nobody_calls_this(MPI_Comm comm) { MPI_Ssend(&number, 1, MPI_INT, 0, 0, comm); }

// RUN: %analyze explain --print=choices -- -I%inputs/mpi-mpich-style %s | FileCheck %s

// CHECK:      left as it is
// CHECK-NEXT: no-template: there is no template for MPI_Start
// CHECK-NEXT: left as it is
// CHECK-NEXT: never-executed: the call is never executed in this translation unit
// CHECK-NEXT: left as it is
// CHECK-NEXT: never-executed
