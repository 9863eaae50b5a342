// Without a lane to take, a site costs nothing: the machine code is the plain call, at -O1 already,
// and a tail call where the plain call would be one.
#include <mpi.h>

int send(const void *b, int n, int peer) {
  return MPI_Send(b, n, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD);
}
int sendrecv(void *b, int peer) {
  return MPI_Sendrecv_replace(b, 1, MPI_INT, peer, 1, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int wait(MPI_Request *request) { return MPI_Wait(request, MPI_STATUS_IGNORE); }

// RUN: gcc -E -I%inputs/mpi-mpich-style %s -o %t.i
// RUN: %analyze unit --preprocessed=%t.i --output=%t.new.i -- -I%inputs/mpi-mpich-style %s \
// RUN:   | FileCheck %s --check-prefix=REWRITTEN
// REWRITTEN: sites=3 rewritten=3
// RUN: rm -f %t.sends
// RUN: for compiler in gcc clang-22; do for level in -O1 -O2 -Os; do \
// RUN:   $compiler $level -fcf-protection=none -S %t.i -o %t.s && \
// RUN:   $compiler $level -fcf-protection=none -S %t.new.i -o %t.new.s && \
// RUN:   sed -n '/^send:/,/size\tsend/p' %t.new.s >> %t.sends && \
// RUN:   grep -E '^\s+(jmp|call|cmp|test)' %t.s > %t.plain && \
// RUN:   grep -E '^\s+(jmp|call|cmp|test)' %t.new.s > %t.new && \
// RUN:   diff %t.plain %t.new || exit 1; done; done
// RUN: FileCheck %s --input-file=%t.sends
// CHECK:     send:
// CHECK-NOT: cmp
// CHECK-NOT: mpispec_state
// CHECK:     {{jmp|call}}{{.*}}MPI_Send
// CHECK-NOT: {{^}}send{{r}}
