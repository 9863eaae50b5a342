// Arguments of static functions that all callers agree on, whether the call is inlined or not.
#include <mpi.h>

double buffer[200];

static void send_inlined(int count, int tag) {
  MPI_Send(buffer, count, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
}

__attribute__((noinline)) static void send_called(int count, MPI_Datatype type, MPI_Comm comm) {
  MPI_Send(buffer, count, type, 1, 0, comm);
}

void run(void) {
  send_inlined(10, 1);
  send_inlined(10, 2);
  send_called(20, MPI_DOUBLE, MPI_COMM_WORLD);
  send_called(20, MPI_DOUBLE, MPI_COMM_WORLD);
}

// RUN: %facts %check
// CHECK:      0: copies=2 {{.*}} count=10 (all callers agree on 'count') {{.*}} tag=[1, 2] (callers of and conditions on 'tag')
// CHECK-NEXT: partial: tag is 1 in 1 of 2 copies
// CHECK-NEXT: 1: copies=1 comm=MPI_COMM_WORLD (all callers agree on 'comm') | count=20 (all callers agree on 'count') datatype=MPI_DOUBLE (all callers agree on 'type')
