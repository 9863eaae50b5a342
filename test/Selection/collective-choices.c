// Collectives depend on the bytes and on whether the datatype is a predefined one without gaps.
#include <mpi.h>

double a[1024], b[1024];

void collectives(int n, MPI_Datatype type, MPI_Op op, MPI_Request *requests, MPI_Status *status) {
  MPI_Bcast(b, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(b, 1024, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(b, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Allreduce(a, b, 1, MPI_DOUBLE_INT, op, MPI_COMM_WORLD);
  MPI_Reduce(a, b, n, type, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Allgather(a, 1, MPI_DOUBLE, b, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Alltoall(a, 1, MPI_DOUBLE, b, 1, type, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Gather(a, 1, MPI_DOUBLE, b, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
  MPI_Wait(requests, status);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Waitall(2, requests, status);
}

// RUN: %analyze explain --inline-all --print=choices -- -I%inputs/mpi-mpich-style %s | FileCheck %s

// CHECK:      Bcast{{$}}
// CHECK-NEXT: site {{[0-9]+}}: ordinary: what is long
// CHECK-NEXT: Bcast{{$}}
// CHECK-NEXT: size-unknown (count): count 'n' is unknown
// CHECK-NEXT: site {{[0-9]+}}: ordinary: the datatype
// CHECK-NEXT: datatype-unknown (datatype): MPI_DOUBLE_INT may have gaps
// CHECK-NEXT: operation-unknown (op): op 'op' is not proven to be predefined: pass a predefined operation
// CHECK-NEXT: site {{[0-9]+}}: ordinary: the datatype
// CHECK-NEXT: datatype-unknown (datatype): datatype 'type' is not proven to be predefined
// CHECK-NEXT: site {{[0-9]+}}: ordinary: there is no template: all ranks
// CHECK-NEXT: site {{[0-9]+}}: ordinary: there is no template: all ranks
// CHECK-NEXT: Barrier{{$}}
// CHECK-NEXT: site {{[0-9]+}}: left as it is
// CHECK-NEXT: no-template: there is no template for MPI_Gather
// CHECK-NEXT: Wait_ignore
// CHECK-NEXT: Wait{{$}}
// CHECK-NEXT: status-used (status): status 'status' is not proven to be ignored: pass MPI_STATUS_IGNORE, if nobody reads it
// CHECK-NEXT: Waitall_ignore
// CHECK-NEXT: Waitall{{$}}
// CHECK-NEXT: status-used (statuses): statuses 'status' is not proven to be ignored: pass MPI_STATUSES_IGNORE
