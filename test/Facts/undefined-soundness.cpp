// Programs rely on some behaviour that C++ leaves undefined. It proves nothing.
#include <mpi.h>
#include <stdlib.h>

// Only the root needs the receive buffer and count: the others often never set them.
void set_at_root_only(double *send, int n, double *b, int *seen) {
  int rank, each;
  double *all;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    all = (double *)malloc(1000);
    each = n + 1;
    *seen = 3;
  }
  MPI_Gather(send, n, MPI_DOUBLE, all, each, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Send(b, rank, MPI_DOUBLE, 2 * rank + 1, rank, MPI_COMM_WORLD);
}

// Nobody reads the value, so nobody noticed that it is not always returned.
int elements;
static int check(int n) {
  if (n < 100)
    return 0;
  elements++;
}

void forgotten_return(double *b, int n) {
  check(n);
  MPI_Send(b, n, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
}

// Below -O2 a program may read an int as a float.
int punned(double *b, int *n, float *f) {
  *n = 4;
  *f = 0;
  return MPI_Send(b, *n, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
}

// RUN: %facts %check
// RUN: %facts -O1 %check
// CHECK:     0: copies=1
// CHECK:     1: copies=1
// CHECK-NOT: count
// CHECK:     datatype=MPI_DOUBLE
// CHECK-NOT: tag=0
// CHECK:     2: copies=1
// CHECK-NOT: count
// CHECK:     datatype=MPI_DOUBLE
// CHECK:     3: copies=1
// CHECK-NOT: count
// CHECK:     datatype=MPI_DOUBLE
