// The nine cells of a send: one template for short messages, and one for long ones. The peer changes no code.
// Therefore no hint concerns it.
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
  if (n <= 32)
    MPI_Ssend(b, n, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD);
  else
    MPI_Ssend(b, n, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD);
}

// RUN: %analyze explain --print=choices -- -I%inputs/mpi-mpich-style %s | FileCheck %s

// CHECK:      site {{[0-9]+}}: Send_long{{$}}
// CHECK-NEXT: site {{[0-9]+}}: Send{{$}}
// CHECK-NEXT: site {{[0-9]+}}: ordinary: the datatype
// CHECK:      site {{[0-9]+}}: Send_long{{$}}
// CHECK-NEXT: site {{[0-9]+}}: Send{{$}}
// CHECK-NEXT: site {{[0-9]+}}: ordinary: the datatype
// CHECK:      site {{[0-9]+}}: Send_long{{$}}
// CHECK-NEXT: site {{[0-9]+}}: Send{{$}}
// CHECK-NEXT: site {{[0-9]+}}: ordinary: the datatype
// CHECK-NEXT: datatype-unknown (datatype): datatype 'type' is not proven to be predefined
// CHECK-NEXT: site {{[0-9]+}}: Ssend{{$}}
// CHECK-NEXT: site {{[0-9]+}}: Ssend_long{{$}}
