// The fast path of a site in machine code, at any level and with either compiler. It has no call but the
// ordinary one, to which the guard falls back. It has no loop but the one that awaits a message, and few
// instructions. In a loop over a known buffer two or three fewer are left (bench/instructions.sh
// counts those that run).
#include <mpi.h>

int send(const double *b, int peer) {
  return MPI_Send(b, 1, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD);
}
int recv(double *b, int peer) {
  return MPI_Recv(b, 1, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int wait(MPI_Request *request) { return MPI_Wait(request, MPI_STATUS_IGNORE); }
// Must not: nothing is known of the datatype, or the message is long. No trace of a fast path.
int unknown(const void *b, MPI_Datatype type, int peer) {
  return MPI_Send(b, 1, type, peer, 7, MPI_COMM_WORLD);
}
int large(const double *b, int peer) {
  return MPI_Send(b, 1000, MPI_DOUBLE, peer, 7, MPI_COMM_WORLD);
}

// RUN: gcc -E -I%inputs/mpi-mpich-style %s -o %t.i
// RUN: %analyze unit --preprocessed=%t.i --output=%t.new.i -- -I%inputs/mpi-mpich-style %s \
// RUN:   | FileCheck %s --check-prefix=REWRITTEN
// REWRITTEN: sites=5 rewritten=5
// RUN: for compiler in gcc clang-22; do for level in -O1 -O2 -Os; do \
// RUN:   $compiler $level -fcf-protection=none -fno-asynchronous-unwind-tables -S %t.new.i -o %t.s && \
// RUN:   echo begin && grep -E '^[a-z]+:|^\s+[a-z]' %t.s | grep -v '^\s*\.' | \
// RUN:   awk '/^[a-z]+:/ {name = $1} /^\t/ {n[name]++; if (/call|jmp.*MPI/) print name, $1, $2; \
// RUN:        if (/mpispec_state/) state[name]++} \
// RUN:        END {print "send", (n["send:"] <= 34 ? "few" : n["send:"]); \
// RUN:             print "recv", (n["recv:"] <= 50 ? "few" : n["recv:"]); \
// RUN:             print "wait", (n["wait:"] <= 44 ? "few" : n["wait:"]); \
// RUN:             print "unknown", state["unknown:"] + 0, "large", state["large:"] + 0}' \
// RUN:   || exit 1; done; done > %t.found
// RUN: FileCheck %s --input-file=%t.found
// CHECK-COUNT-6: begin
// RUN: FileCheck %s --input-file=%t.found --check-prefix=FEW --implicit-check-not=memcpy
// FEW-NOT: {{(send|recv|wait) [0-9]}}
// FEW-NOT: {{(unknown|large) [1-9]}}
// FEW: send few
// FEW: recv few
// FEW: wait few
// FEW: unknown 0 large 0
