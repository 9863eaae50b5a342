// The nine templates of a send, each chosen for the facts that it needs.
#include <mpi.h>

double b[1024];

void all_nine(int dest, int n, MPI_Datatype type) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (dest != rank) {
    MPI_Send(b, 1024, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD);
    MPI_Send(b, 1, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD);
    MPI_Send(b, n, type, dest, 0, MPI_COMM_WORLD);
  } else {
    MPI_Send(b, 1024, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD);
    MPI_Send(b, 1, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD);
    MPI_Send(b, n, type, dest, 0, MPI_COMM_WORLD);
  }
  MPI_Send(b, 1024, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD);
  MPI_Send(b, 1, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD);
  MPI_Send(b, n, type, dest, 0, MPI_COMM_WORLD);
}

// A bound on the count is as good as a value.
void bounded(int dest, int n) {
  if (n <= 128)
    MPI_Ssend(b, n, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD);
  else
    MPI_Ssend(b, n, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD);
}

// RUN: %analyze explain --print=choices -- -I%inputs/mpi-mpich-style %s | FileCheck %s

// CHECK:      Send_long_remote, ordinary: long messages travel by the ordinary call
// CHECK:      Send_short_remote{{$}}
// CHECK:      Send_remote
// CHECK:      Send_long_local
// CHECK:      Send_short_local
// CHECK:      Send_local
// CHECK:      Send_long
// CHECK-NEXT: Send_short{{$}}
// CHECK-NEXT: Send_generic
// CHECK-NEXT: datatype-unknown (datatype): datatype 'type' is not proven to be predefined
// CHECK-NEXT: Ssend_short{{$}}
// CHECK-NEXT: Ssend_long, ordinary
