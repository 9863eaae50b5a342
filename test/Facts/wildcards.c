// Wildcards, the null process, ignored statuses, roots and operations.
#include <mpi.h>

double b[8];
MPI_Status s;

void receive(int source, int tag, MPI_Status *status) {
  MPI_Recv(b, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(b, 1, MPI_DOUBLE, source, tag, MPI_COMM_WORLD, status);
  if (source >= 0)
    MPI_Recv(b, 1, MPI_DOUBLE, source, tag, MPI_COMM_WORLD, &s);
  MPI_Recv(b, 1, MPI_DOUBLE, MPI_PROC_NULL, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(b, 1, MPI_DOUBLE, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
}

/* Every copy of the rank may be the source: remote cannot be proven. */
void rank_zero_takes_all(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Recv(b, 1, MPI_DOUBLE, rank == 0 ? MPI_ANY_SOURCE : 0, 3, MPI_COMM_WORLD, &s);
}

void collectives(int root, MPI_Op op) {
  MPI_Bcast(b, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(b, 8, MPI_DOUBLE, root, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce(b, b + 1, 1, MPI_DOUBLE, op, 0, MPI_COMM_WORLD);
  MPI_Alltoall(b, 200, MPI_DOUBLE, b, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

void complete(MPI_Request *r, MPI_Status *status) {
  MPI_Wait(r, MPI_STATUS_IGNORE);
  MPI_Wait(r, status);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

// RUN: %facts %check
// CHECK:      0: {{.*}} status-ignored | {{.*}} peer=MPI_ANY_SOURCE ({{macro|enum constant}} MPI_ANY_SOURCE) tag=MPI_ANY_TAG ({{macro|enum constant}} MPI_ANY_TAG) {{.*}} wildcard{{$}}
// CHECK-NEXT: 1: copies=1 comm=MPI_COMM_WORLD (macro MPI_COMM_WORLD) | {{.*}} may-be-wildcard{{$}}
// CHECK-NEXT: 2: {{.*}} peer=[0, 2147483647] {{.*}} (8 bytes){{$}}
// CHECK-NEXT: 3: {{.*}} peer=MPI_PROC_NULL ({{macro|enum constant}} MPI_PROC_NULL) {{.*}} (8 bytes) null-peer
// CHECK-NEXT: 4: {{.*}} peer=MPI_PROC_NULL ({{macro|enum constant}} MPI_PROC_NULL) {{.*}} (8 bytes) null-peer
// CHECK-NEXT: 5: {{.*}} may-be-wildcard{{$}}
// CHECK-NEXT: 6: {{.*}} root=0 (literal) | count=8 {{.*}} size=short
// CHECK-NEXT: 7: copies=1 comm=MPI_COMM_WORLD (macro MPI_COMM_WORLD) | count=8
// CHECK-NEXT: 8: {{.*}} op=MPI_SUM (macro MPI_SUM) | count=1
// CHECK-NEXT: 9: {{.*}} root=0 (literal) | count=1
// CHECK-NEXT: 10: {{.*}} | count=200 {{.*}} size=long {{.*}} | count=1 {{.*}} size=short
// CHECK:      11: copies=1 comm=MPI_COMM_WORLD (macro MPI_COMM_WORLD){{$}}
// CHECK-NEXT: 12: copies=1 status-ignored
// CHECK-NEXT: 13: copies=1{{$}}
// CHECK-NEXT: 14: copies=1 status-ignored
