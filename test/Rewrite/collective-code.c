// Collective operations. A reduction's template gets operation and datatype if both are proven and MPI allows it.
// The machine code for one number has no loops but those over members and polls.
#include <mpi.h>

double dot(double mine) {
  double sum;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}
void largest(int *in, int *out, MPI_Comm comm) {
  MPI_Reduce(in, out, 2, MPI_INT, MPI_MAX, 1, comm);
}
void broadcast(long *b, int root) { MPI_Bcast(b, 3, MPI_LONG, root, MPI_COMM_WORLD); }
void meet(MPI_Comm comm) { MPI_Barrier(comm); }
// Must not: MPI does not allow it, templates leave it out, nothing is known of it, it is long.
void banned(double _Complex *in, double _Complex *out) {
  MPI_Allreduce(in, out, 1, MPI_C_DOUBLE_COMPLEX, MPI_MAX, MPI_COMM_WORLD);
}
void complex(double _Complex *in, double _Complex *out) {
  MPI_Allreduce(in, out, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
}
void unknown(int *in, int *out, MPI_Op op) {
  MPI_Allreduce(in, out, 1, MPI_INT, op, MPI_COMM_WORLD);
}
void large(double *in, double *out) {
  MPI_Allreduce(in, out, 7, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

// RUN: gcc -E -I%inputs/mpi-mpich-style %s -o %t.i
// RUN: %analyze unit --preprocessed=%t.i --output=%t.new.i -- -I%inputs/mpi-mpich-style %s
// RUN: FileCheck %s --input-file=%t.new.i
// RUN: gcc -Wall -Wextra -Werror -pedantic -fsyntax-only %t.new.i
// CHECK: mpispec_Allreduce(send_buffer, receive_buffer, mpispec_count,
// CHECK-SAME: 8, mpispec_SUM, mpispec_floating_point, mpispec_comm_world, "{{.*}}collective-code.c:7")
// CHECK: mpispec_Reduce(send_buffer, receive_buffer, mpispec_count,
// CHECK-SAME: 4, mpispec_MAX, mpispec_signed_integer, root, (unsigned long)comm, "{{.*}}:11")
// CHECK: mpispec_Bcast(buffer, mpispec_count, 8, root, mpispec_comm_world, "{{.*}}:13")
// CHECK: mpispec_Barrier((unsigned long)comm, "{{.*}}:14")
// CHECK-COUNT-4: return MPI_Allreduce(send_buffer, receive_buffer, count, datatype, op, comm);

// RUN: for compiler in gcc clang-22; do for level in -O1 -O2 -Os; do \
// RUN:   $compiler $level -w -fcf-protection=none -S %t.new.i -o %t.s && \
// RUN:   grep -E '^[A-Za-z_]+:|^\s+[a-z]' %t.s | awk ' \
// RUN:     /^[A-Za-z_]+:/ {name = $1} \
// RUN:     /^\t/ {n[name]++} \
// RUN:     /mpispec_state/ {state[name]++} \
// RUN:     /call.*mem/ {print name, $2} \
// RUN:     END {print "dot", (n["dot:"] <= 100 ? "few" : n["dot:"]); \
// RUN:          print "meet", (n["meet:"] <= 25 ? "few" : n["meet:"]); \
// RUN:          print "not", state["banned:"] + state["complex:"] + state["unknown:"]; \
// RUN:          print "not", state["large:"] + 0}' || exit 1; done; done > %t.found
// RUN: not grep -E '(dot|meet) [0-9]|not [1-9]|mem' %t.found
// RUN: test $(grep -c few %t.found) = 12
