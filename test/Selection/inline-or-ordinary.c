// A call is said to be inline if and only if its machine code has a fast path.
#include <mpi.h>
#include <stddef.h>

double b[4096];
long double wide[4];
#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE

int send_one(int p) { return MPI_Send(b, 1, MPI_DOUBLE, p, 0, WORLD); }
int send_n(int n, int p) { return MPI_Send(b, n, MPI_DOUBLE, p, 0, WORLD); }
int send_comm(int n, int p, MPI_Comm c) { return MPI_Send(b, n, MPI_DOUBLE, p, 0, c); }
int send_large(int p) { return MPI_Send(b, 1000, MPI_DOUBLE, p, 0, WORLD); }
int send_type(int p, MPI_Datatype t) { return MPI_Send(b, 1, t, p, 0, WORLD); }
int send_gaps(int p) { return MPI_Send(b, 1, MPI_DOUBLE_INT, p, 0, WORLD); }
int send_nobody(void) { return MPI_Send(b, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, WORLD); }
int send_cells(int p) { return MPI_Send(b, 100, MPI_DOUBLE, p, 0, WORLD); }
int ssend_one(int p) { return MPI_Ssend(b, 1, MPI_DOUBLE, p, 0, WORLD); }
int ssend_seven(int p) { return MPI_Ssend(b, 7, MPI_DOUBLE, p, 0, WORLD); }
int ssend_eight(int p) { return MPI_Ssend(b, 8, MPI_DOUBLE, p, 0, WORLD); }
int rsend_one(int p) { return MPI_Rsend(b, 1, MPI_DOUBLE, p, 0, WORLD); }
int bsend_one(int p) { return MPI_Bsend(b, 1, MPI_DOUBLE, p, 0, WORLD); }
int isend_one(int p, MPI_Request *r) { return MPI_Isend(b, 1, MPI_DOUBLE, p, 0, WORLD, r); }
int isend_type(int p, MPI_Datatype t, MPI_Request *r) { return MPI_Isend(b, 1, t, p, 0, WORLD, r); }
int issend_one(int p, MPI_Request *r) { return MPI_Issend(b, 1, MPI_DOUBLE, p, 0, WORLD, r); }
int issend_large(int p, MPI_Request *r) { return MPI_Issend(b, 9, MPI_DOUBLE, p, 0, WORLD, r); }
int recv_one(int p) { return MPI_Recv(b, 1, MPI_DOUBLE, p, 0, WORLD, IGNORE); }
int recv_n(int n, int p) { return MPI_Recv(b, n, MPI_DOUBLE, p, 0, WORLD, IGNORE); }
int recv_large(int p) { return MPI_Recv(b, 1000, MPI_DOUBLE, p, 0, WORLD, IGNORE); }
int recv_any(void) { return MPI_Recv(b, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, WORLD, IGNORE); }
int recv_any_tag(int p) { return MPI_Recv(b, 1, MPI_DOUBLE, p, MPI_ANY_TAG, WORLD, IGNORE); }
int recv_tag(int p, int t) { return MPI_Recv(b, 1, MPI_DOUBLE, p, t, WORLD, IGNORE); }
int irecv_one(int p, MPI_Request *r) { return MPI_Irecv(b, 1, MPI_DOUBLE, p, 0, WORLD, r); }
int irecv_large(int p, MPI_Request *r) { return MPI_Irecv(b, 1000, MPI_DOUBLE, p, 0, WORLD, r); }
int irecv_huge(int p, MPI_Request *r) { return MPI_Irecv(b, 10000, MPI_DOUBLE, p, 0, WORLD, r); }
int irecv_any(MPI_Request *r) { return MPI_Irecv(b, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, WORLD, r); }
int exchange(int p, int q) {
  return MPI_Sendrecv(b, 1, MPI_DOUBLE, p, 0, b + 8, 1, MPI_DOUBLE, q, 0, WORLD, IGNORE);
}
int exchange_room(int p, int q) {
  return MPI_Sendrecv(b, 1, MPI_DOUBLE, p, 0, b + 8, 1000, MPI_DOUBLE, q, 0, WORLD, IGNORE);
}
int exchange_large(int p, int q) {
  return MPI_Sendrecv(b, 1000, MPI_DOUBLE, p, 0, b + 2000, 1, MPI_DOUBLE, q, 0, WORLD, IGNORE);
}
int exchange_type(int p, int q, MPI_Datatype t) {
  return MPI_Sendrecv(b, 1, MPI_DOUBLE, p, 0, b + 8, 1, t, q, 0, WORLD, IGNORE);
}
int replace(int n, int p, int q) {
  return MPI_Sendrecv_replace(b, n, MPI_DOUBLE, p, 0, q, 0, WORLD, IGNORE);
}
int bcast_one(void) { return MPI_Bcast(b, 1, MPI_DOUBLE, 0, WORLD); }
int bcast_none(void) { return MPI_Bcast(b, 0, MPI_DOUBLE, 0, WORLD); }
int bcast_n(int n) { return MPI_Bcast(b, n, MPI_DOUBLE, 0, WORLD); }
int bcast_ten(void) { return MPI_Bcast(b, 10, MPI_DOUBLE, 0, WORLD); }
int bcast_type(MPI_Datatype t) { return MPI_Bcast(b, 1, t, 0, WORLD); }
int sum(void) { return MPI_Allreduce(b, b + 8, 1, MPI_DOUBLE, MPI_SUM, WORLD); }
int sum_op(MPI_Op op) { return MPI_Allreduce(b, b + 8, 1, MPI_DOUBLE, op, WORLD); }
int sum_type(MPI_Datatype t) { return MPI_Allreduce(b, b + 8, 1, t, MPI_SUM, WORLD); }
int sum_wide(void) {
  return MPI_Allreduce(wide, wide + 1, 1, MPI_LONG_DOUBLE, MPI_SUM, WORLD);
}
int reduce_one(void) { return MPI_Reduce(b, b + 8, 1, MPI_DOUBLE, MPI_SUM, 0, WORLD); }
int reduce_bits(int *i) { return MPI_Reduce(i, i + 8, 1, MPI_INT, MPI_BAND, 0, WORLD); }
int reduce_where(void) { return MPI_Reduce(b, b + 8, 1, MPI_2INT, MPI_MAXLOC, 0, WORLD); }
int allgather(void) { return MPI_Allgather(b, 1, MPI_DOUBLE, b + 8, 1, MPI_DOUBLE, WORLD); }
int alltoall(void) { return MPI_Alltoall(b, 1, MPI_DOUBLE, b + 8, 1, MPI_DOUBLE, WORLD); }
int barrier(MPI_Comm c) { return MPI_Barrier(c); }
int wait(MPI_Request *r) { return MPI_Wait(r, IGNORE); }
int wait_status(MPI_Request *r, MPI_Status *s) { return MPI_Wait(r, s); }
int test(MPI_Request *r, int *f) { return MPI_Test(r, f, IGNORE); }
int waitall(int n, MPI_Request *r) { return MPI_Waitall(n, r, MPI_STATUSES_IGNORE); }
int probe(int p) { return MPI_Probe(p, 0, WORLD, IGNORE); }
int probe_any(MPI_Status *s) { return MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, s); }
int iprobe(int p, int *f, MPI_Status *s) { return MPI_Iprobe(p, 0, WORLD, f, s); }
int iprobe_any(int *f) { return MPI_Iprobe(MPI_ANY_SOURCE, 0, WORLD, f, IGNORE); }
int iprobe_nobody(int *f) { return MPI_Iprobe(MPI_PROC_NULL, 0, WORLD, f, IGNORE); }
int start(MPI_Request *r) { return MPI_Start(r); }

// RUN: rm -rf %t && mkdir -p %t
// RUN: %mpispec --mpispec-inline-all explain --format=json %s -- -O2 > %t/sites.json
// RUN: env MPICH_CC=gcc %mpispec --mpispec-inline-all mpicc -O2 -c %s -o %t/gcc.o
// RUN: python3 %S/Inputs/machine-code.py forms %t/sites.json %t/gcc.o | FileCheck %s
// RUN: env MPICH_CC=clang-22 %mpispec --mpispec-inline-all mpicc -O2 -c %s -o %t/clang.o
// RUN: python3 %S/Inputs/machine-code.py forms %t/sites.json %t/clang.o | FileCheck %s
// CHECK: 57 calls compared

// The remarks say the same, and so does the report.
// RUN: env MPISPEC_FLAGS="--mpispec-inline-all --mpispec-remarks=%t/remarks" %mpispec mpicc -O2 -c %s -o %t/a.o
// RUN: grep -c "Form: .*inline" %t/remarks/*.yaml > %t/inline && grep -c "Form: .*ordinary" %t/remarks/*.yaml > %t/ordinary
// RUN: %mpispec report %t/remarks | grep -F "57 calls: $(cat %t/inline) inline, $(cat %t/ordinary) ordinary, 1 left as it is"
// RUN: %mpispec --mpispec-inline-all explain %s -- -O2 | grep -F "57 calls: $(cat %t/inline) inline, $(cat %t/ordinary) ordinary, 1 left as it is"
// RUN: %mpispec report --format=json %t/remarks | grep -F "\"ordinary\": $(cat %t/ordinary)"
