// Handles, roots and operations that are wrong in every execution are reported, for collective operations and
// completions as for messages.
#include <mpi.h>

double b[8], c[8];
int n[8], m[8];

static void reduce(MPI_Op op, MPI_Datatype type) {
  MPI_Allreduce(b, c, 1, type, op, MPI_COMM_WORLD);
}

void run(MPI_Request *request) {
  MPI_Barrier(MPI_COMM_NULL);
  MPI_Bcast(b, 1, MPI_DOUBLE, 0, MPI_COMM_NULL);
  MPI_Send(b, 1, MPI_DOUBLE, 1, 0, MPI_COMM_NULL);
  MPI_Bcast(b, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  MPI_Send(b, 1, MPI_DATATYPE_NULL, 1, 0, MPI_COMM_WORLD);
  MPI_Bcast(b, 1, MPI_DOUBLE, -77, MPI_COMM_WORLD);
  MPI_Bcast(b, 1, MPI_DOUBLE, 1, MPI_COMM_SELF);
  MPI_Bcast(b, 1, MPI_DOUBLE, MPI_ROOT, MPI_COMM_WORLD);
  MPI_Reduce(b, c, 1, MPI_DOUBLE, MPI_OP_NULL, 0, MPI_COMM_WORLD);
  reduce(MPI_BAND, MPI_DOUBLE);
  MPI_Iallreduce(n, m, 1, MPI_INT, MPI_MAXLOC, MPI_COMM_WORLD, request);
  MPI_Allreduce(b, c, 1, MPI_C_DOUBLE_COMPLEX, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(b, c, 1, MPI_DOUBLE_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(b, c, -1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Waitall(2, 0, MPI_STATUSES_IGNORE);
}

// RUN: %facts %check
// CHECK: 0:
// CHECK-NEXT: warning: MPI_BAND is not defined for MPI_DOUBLE
// CHECK: 1:
// CHECK-NEXT: warning: communicator is MPI_COMM_NULL
// CHECK: 2:
// CHECK-NEXT: warning: communicator is MPI_COMM_NULL
// CHECK: 3:
// CHECK-NEXT: warning: communicator is MPI_COMM_NULL
// CHECK: 4:
// CHECK-NEXT: warning: datatype is MPI_DATATYPE_NULL
// CHECK: 5:
// CHECK-NEXT: warning: datatype is MPI_DATATYPE_NULL
// CHECK: 6:
// CHECK-NEXT: warning: root is -77, which is neither a rank nor a named constant of MPI
// CHECK: 7:
// CHECK-NEXT: warning: root is not 0, the only rank of MPI_COMM_SELF
// CHECK: 8:
// CHECK-NEXT: warning: root is MPI_ROOT, which only an intercommunicator takes
// CHECK: 9:
// CHECK-NEXT: warning: operation is MPI_OP_NULL, which reduces nothing
// CHECK: 10:
// CHECK-NEXT: warning: MPI_MAXLOC is not defined for MPI_INT
// CHECK: 11:
// CHECK-NEXT: warning: MPI_MAX is not defined for MPI_C_DOUBLE_COMPLEX
// CHECK: 12:
// CHECK-NEXT: warning: MPI_SUM is not defined for MPI_DOUBLE_INT
// CHECK: 13:
// CHECK-NEXT: warning: count is -1 in every execution of this call
// CHECK: 14:
// CHECK-NEXT: warning: the array of requests is null, but its count is not 0
