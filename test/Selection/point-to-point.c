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

// CHECK:      Send_long_remote
// CHECK:      Send_short_remote
// CHECK:      Send_remote
// CHECK:      Send_long_local
// CHECK:      Send_short_local
// CHECK:      Send_local
// CHECK:      Send_long
// CHECK-NEXT: peer-unknown (peer): peer 'dest' may be this process itself: guard the call with 'if (dest != rank)', rank being that in MPI_COMM_WORLD
// CHECK:      Send_short
// CHECK-NEXT: peer-unknown
// CHECK:      Send_generic
// CHECK-NEXT: size-unknown (datatype): datatype 'type' is not proven to be predefined
// CHECK-NEXT: size-unknown (count): count 'n' is unknown: make 'all_nine' static and pass it one constant everywhere
// CHECK-NEXT: peer-unknown
// CHECK:      Ssend_short{{$}}
// CHECK:      Ssend_long{{$}}
