// Attributes that Clang ignores and gcc obeys, and orders of evaluation. Nothing but the facts that are
// written at the call is known, and there is no warning.
#include <limits.h>
#include <mpi.h>

double b[2000];

static int calls;
static int first_small(int small, int large) { return calls++ ? large : small; }
void order(int rank) {
  calls = 0;
  MPI_Send(b, first_small(5, 100000), MPI_DOUBLE, 1, first_small(5, 100000), MPI_COMM_WORLD);
}
void no_order(void) {
  int n = first_small(5, 5) ? 2 : 2;
  MPI_Send(b, n, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
}

#ifdef ATTRIBUTE
static int __attribute__((noinline, optimize("wrapv"))) wraps(int m) { return m + 1 < m; }
#elif defined PRAGMA
#pragma GCC push_options
#pragma GCC optimize("wrapv")
static int wraps(int m) { return m + 1 < m; }
#pragma GCC pop_options
#elif defined ORDER
struct __attribute__((scalar_storage_order("big-endian"))) header { int n; };
static int wraps(int m) { struct header h = {0}; return h.n; }
#else
static int wraps(int m) { return 0; }
#endif
void wrapped(void) {
  MPI_Send(b, wraps(INT_MAX) ? 2 : -1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
}

// RUN: for d in ATTRIBUTE PRAGMA ORDER; do \
// RUN:   %analyze explain --print=facts -- -w -D$d -I%inputs/mpi-mpich-style %s | FileCheck %s || exit 1; done
// CHECK:      0: {{.*}} datatype=MPI_DOUBLE {{.*}}peer=1
// CHECK-NOT:  {{count=|tag=}}
// CHECK:      1: {{.*}} tag=7
// CHECK-NOT:  count=
// CHECK:      2: {{.*}} tag=7
// CHECK-NOT:  {{count=|warning|wrong|negative}}

// Without them all is known but for the order.
// RUN: %analyze explain --print=facts -- -w -I%inputs/mpi-mpich-style %s | FileCheck --check-prefix=KNOWN %s
// KNOWN:     0: {{.*}}peer=1
// KNOWN:     1: {{.*}} count=2
// KNOWN:     2: {{.*}} count=-1
