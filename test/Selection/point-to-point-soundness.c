// A special template must not be chosen where one execution could contradict it.
#include <mpi.h>

double b[1024];

void sides(int rank, int other, int n) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (other == rank || other < 0)
    return;
  // One side is short, the other long.
  MPI_Sendrecv(b, 1, MPI_DOUBLE, other, 0, b, 1024, MPI_DOUBLE, other, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  // One side is remote, the other local.
  MPI_Sendrecv(b, 1, MPI_DOUBLE, other, 0, b, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  // One side may be a wildcard.
  MPI_Sendrecv(b, 1, MPI_DOUBLE, other, 0, b, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

void wildcards(int rank, int source) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Recv(b, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // MPI_ANY_SOURCE is not this rank either.
  if (source != rank)
    MPI_Recv(b, 1, MPI_DOUBLE, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Eight values of two shorts and a gap: the bytes do not lie together.
void gaps(int rank) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Send(b, 8, MPI_DOUBLE_INT, rank, 0, MPI_COMM_WORLD);
}

// One copy is short, the other long.
static void shift(int n, int dest) { MPI_Ssend(b, n, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD); }
void copies(int dest) {
  shift(1, dest);
  shift(1024, dest);
}

// RUN: %analyze explain --print=choices -- -I%inputs/mpi-mpich-style %s | FileCheck %s

// CHECK:      Sendrecv_remote{{$}}
// CHECK:      site {{[0-9]+}}: Sendrecv{{$}}
// CHECK-NOT:  Sendrecv
// CHECK:      ordinary: a message from any source
// CHECK-NEXT: wildcard-source (source): source is MPI_ANY_SOURCE
// CHECK:      site {{[0-9]+}}: Recv{{$}}
// CHECK-NEXT: wildcard-source (peer): peer is MPI_ANY_SOURCE: name the rank, if only one can send here
// CHECK:      Recv{{$}}
// CHECK-NEXT: site {{[0-9]+}}: ordinary
// CHECK-NEXT: datatype-unknown (datatype): MPI_DOUBLE_INT may have gaps in memory
// CHECK:      Ssend{{$}}
// CHECK:      partial-facts: count is 1{{.*}} in 1 of 2 copies: give each case its own call, or make 'shift' one function a case
