// Argument mistakes that are proven are reported.
#include <mpi.h>

double b[8];
long l[8];

static void send(int count) { MPI_Send(b, count, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); }

void run(int rank) {
  send(-1);
  MPI_Send(b, 1, MPI_DOUBLE, 1, -5, MPI_COMM_WORLD);
  MPI_Send(b, 1, MPI_DOUBLE, -77, 1, MPI_COMM_WORLD);
  MPI_Send(b, 9, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
  MPI_Recv(b + 4, 5, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(b, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  MPI_Send(l, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
}

// RUN: %facts %check
// CHECK: 0:
// CHECK-NEXT: warning: count is -1 in every execution of this call
// CHECK: 1:
// CHECK-NEXT: warning: tag is -5 in every execution of this call
// CHECK: 2:
// CHECK-NEXT: warning: peer is -77, which is neither a rank nor a named constant of MPI
// CHECK: 3:
// CHECK-NEXT: warning: the call describes 72 bytes, more than the buffer object has
// CHECK: 4:
// CHECK-NEXT: warning: the call describes 40 bytes, more than the buffer object has
// CHECK: 5:
// CHECK-NEXT: warning: elements of 'b' have 8 bytes, but MPI_INT has 4
// CHECK: 6:
// CHECK-NEXT: warning: elements of 'l' have 8 bytes, but MPI_INT has 4
