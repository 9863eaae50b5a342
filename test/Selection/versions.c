// Predictions become versions of a call where they gain a fast path, and only there.
#include <mpi.h>

void gains(void *b, int n, int kind) { MPI_Send(b, n, kind ? MPI_INT : MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); }
// More than a cell travels inline only where the count is a constant.
void count(double *b, int kind) { MPI_Send(b, kind ? 16 : 20, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD); }

// No versions: short messages have a fast path for any count. A type with gaps has none. From any source only MPI_Recv
// has one. Long messages have none.
void small(double *b, int kind) { MPI_Send(b, kind ? 2 : 4, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD); }
void gaps(void *b, int n, int kind) { MPI_Send(b, n, kind ? MPI_DATATYPE_NULL : MPI_DOUBLE_INT, 1, 3, MPI_COMM_WORLD); }
void any(void *b, int n, int kind, MPI_Request *r) {
  MPI_Irecv(b, n, kind ? MPI_INT : MPI_DOUBLE, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, r);
}
void large(void *b, int kind) { MPI_Send(b, 1000000, kind ? MPI_INT : MPI_DOUBLE, 1, 5, MPI_COMM_WORLD); }

// RUN: %analyze explain --inline-all --print=choices -- -I%inputs/mpi-mpich-style %s | FileCheck %s
// CHECK: site 0: Send
// CHECK-NEXT: version Send: datatype=MPI_DOUBLE
// CHECK-NEXT: version Send: datatype=MPI_INT
// CHECK: site 1: Send
// CHECK-NEXT: version Send: count=16
// CHECK-NEXT: version Send: count=20
// CHECK: site 2: Send
// CHECK-NOT: version
// CHECK: site 6: Send
// CHECK-NEXT: version Send: datatype=MPI_INT

// Unless all are asked for, a value has to be likelier than all others together: most calls here pass MPI_INT.
void often(void *b, int n, MPI_Datatype type) { MPI_Send(b, n, type, 1, 6, MPI_COMM_WORLD); }
void calls(void *b, int n) {
  often(b, n, MPI_INT);
  often(b, n + 1, MPI_INT);
  often(b, n + 2, MPI_INT);
  often(b, n, MPI_DOUBLE);
}
// RUN: %analyze explain --print=choices -- -I%inputs/mpi-mpich-style %s | FileCheck %s --check-prefix=LIKELY
// LIKELY: site 0: ordinary
// LIKELY-NOT: version Send
// LIKELY: site 6: Send
// LIKELY-NEXT: version Send: datatype=MPI_INT
// LIKELY-NOT: version Send

// RUN: %analyze explain --width=100 -- -I%inputs/mpi-mpich-style %s | FileCheck %s --check-prefix=TABLE
// TABLE: gains
// TABLE: perhaps MPI_DOUBLE predicted, 50 %: one of 2 values of
// TABLE: known likely written
// TABLE: datatype {{.*}} 29% {{.*}}100%
// RUN: %analyze explain --format=json -- -I%inputs/mpi-mpich-style %s | FileCheck %s --check-prefix=JSON
// JSON: "key": "datatype"
// JSON: "value": "MPI_DOUBLE"
// JSON: "percent": 50
// JSON: "source": "copies"
