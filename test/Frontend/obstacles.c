// A call that cannot be rewritten gets the reason: a system header's macro, an attribute of the callee. A unit
// that defines the MPI function itself (a PMPI tool) is left alone.
#include <mpi.h>
#include <system-macro.h>

int MPI_Ssend(const void *, int, MPI_Datatype, int, int, MPI_Comm)
    __attribute__((warn_unused_result));
extern double b[];

int MPI_Recv(void *buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Status *status) {
  return 0;
}

int run(void) {
  SYSTEM_SEND(b);
  MPI_Recv(b, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return MPI_Ssend(b, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
}

// RUN: %analyze explain --print=sites -- -I%inputs/mpi-mpich-style -isystem %S/Inputs %s | FileCheck %s
// CHECK:      0: {{.*}} MPI_Send({{.*}} macro SYSTEM_SEND, obstacle in-system-macro
// CHECK-NEXT: 1: {{.*}} MPI_Ssend({{.*}} obstacle callee-attribute
// CHECK-NOT:  {{^[0-9]}}
