// The edit that a hint proposes changes the machine code of the call. Where it would change nothing, there is no hint.
// Each function is compared with one that has the edit.
#include <mpi.h>

double b[4096];
#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
#define PAIR(NAME, PARAMETERS, CALL, EDITED)                                                          \
  int NAME PARAMETERS { return CALL; }                                                                \
  int NAME##_edited PARAMETERS { return EDITED; }

PAIR(count, (int n, int p), MPI_Send(b, n, MPI_DOUBLE, p, 0, WORLD),
     MPI_Send(b, 4, MPI_DOUBLE, p, 0, WORLD))
PAIR(room, (int n, int p), MPI_Recv(b, n, MPI_DOUBLE, p, 0, WORLD, IGNORE),
     MPI_Recv(b, 4, MPI_DOUBLE, p, 0, WORLD, IGNORE))
PAIR(type, (MPI_Datatype t, int p), MPI_Send(b, 1, t, p, 0, WORLD),
     MPI_Send(b, 1, MPI_DOUBLE, p, 0, WORLD))
PAIR(any, (int p), MPI_Recv(b, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, WORLD, IGNORE),
     MPI_Recv(b, 1, MPI_DOUBLE, p, 0, WORLD, IGNORE))
PAIR(any_tag, (int p), MPI_Recv(b, 1, MPI_DOUBLE, p, MPI_ANY_TAG, WORLD, IGNORE),
     MPI_Recv(b, 1, MPI_DOUBLE, p, 0, WORLD, IGNORE))
PAIR(bcast, (int n), MPI_Bcast(b, n, MPI_DOUBLE, 0, WORLD), MPI_Bcast(b, 1, MPI_DOUBLE, 0, WORLD))
PAIR(op, (MPI_Op o), MPI_Allreduce(b, b + 8, 1, MPI_DOUBLE, o, WORLD),
     MPI_Allreduce(b, b + 8, 1, MPI_DOUBLE, MPI_SUM, WORLD))
PAIR(wait, (MPI_Request *r, MPI_Status *s), MPI_Wait(r, s), MPI_Wait(r, IGNORE))
PAIR(test, (MPI_Request *r, int *f, MPI_Status *s), MPI_Test(r, f, s), MPI_Test(r, f, IGNORE))
PAIR(waitall, (int n, MPI_Request *r, MPI_Status *s), MPI_Waitall(n, r, s),
     MPI_Waitall(n, r, MPI_STATUSES_IGNORE))

// An edit of the peer, the tag or the communicator of a short message would change nothing. Neither would an edit
// of the count or the peer of a message that is long or of an unknown type.
PAIR(peer, (int p, int q), MPI_Send(b, 1, MPI_DOUBLE, p, 0, WORLD),
     MPI_Send(b, 1, MPI_DOUBLE, q, 0, WORLD))
PAIR(large, (int p, int q), MPI_Send(b, 1000, MPI_DOUBLE, p, 0, WORLD),
     MPI_Send(b, 1000, MPI_DOUBLE, q, 0, WORLD))
PAIR(nobody, (int n), MPI_Send(b, n, MPI_DOUBLE, MPI_PROC_NULL, 0, WORLD),
     MPI_Send(b, n, MPI_DOUBLE, MPI_PROC_NULL, 0, WORLD))
PAIR(gather, (int n), MPI_Allgather(b, n, MPI_DOUBLE, b + 2048, n, MPI_DOUBLE, WORLD),
     MPI_Allgather(b, n, MPI_DOUBLE, b + 2048, n, MPI_DOUBLE, WORLD))
PAIR(wide, (int p), MPI_Allreduce(b, b + 8, 1, MPI_LONG_DOUBLE, MPI_SUM, WORLD),
     MPI_Allreduce(b, b + 8, 1, MPI_LONG_DOUBLE, MPI_SUM, WORLD))

// RUN: rm -rf %t && mkdir -p %t
// RUN: %mpispec --mpispec-inline-all explain --format=json %s -- -O2 > %t/sites.json
// RUN: env MPICH_CC=gcc %mpispec --mpispec-inline-all mpicc -O2 -c %s -o %t/gcc.o
// RUN: python3 %S/Inputs/machine-code.py hints %t/sites.json %t/gcc.o | FileCheck %s --match-full-lines
// RUN: env MPICH_CC=clang-22 %mpispec --mpispec-inline-all mpicc -O2 -c %s -o %t/clang.o
// RUN: python3 %S/Inputs/machine-code.py hints %t/sites.json %t/clang.o | FileCheck %s --match-full-lines
// CHECK:      count: size-unknown
// CHECK-NEXT: room: size-unknown
// CHECK-NEXT: type: datatype-unknown
// CHECK-NEXT: any: wildcard-source
// CHECK-NEXT: any_tag: wildcard-tag
// CHECK-NEXT: bcast: size-unknown
// CHECK-NEXT: op: operation-unknown
// CHECK-NEXT: wait: status-used
// CHECK-NEXT: test: status-used
// CHECK-NEXT: waitall: status-used
// CHECK-NEXT: peer: nothing
// CHECK-NEXT: large: nothing
// CHECK-NEXT: nobody: nothing
// CHECK-NEXT: gather: nothing
// CHECK-NEXT: wide: nothing
