// A value that another compiler may compute differently is no fact.
#include <mpi.h>

double b[2000];

/* True where an optimizer saw the constant, false at -O0. */
static int choose(int n) { return __builtin_constant_p(n) ? 4 : 200; }
void constant_test(void) {
  int n = 5;
  MPI_Send(b, choose(n), MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  MPI_Send(b, __builtin_constant_p(5) ? 4 : 200, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); /* all agree */
}

// RUN: %facts %check
// CHECK:      0: copies=1 {{.*}} count=[4, 200] {{.*}} bytes=[32, 1600] (optimizer){{$}}
// CHECK-NEXT: 1: copies=1 {{.*}} count=4

// Clang knows these flags and ignores them; gcc does not. Guards make that safe.
// RUN: %mpispec --mpispec-verbose gcc -O2 -funsigned-bitfields -I%inputs/mpi-mpich-style -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck --check-prefix=FLAG %s
// RUN: %mpispec --mpispec-verbose gcc -O2 -fsingle-precision-constant -I%inputs/mpi-mpich-style -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck --check-prefix=FLAG %s
// FLAG: sites=2 rewritten=2

// With these the sizes of MPI_LONG_DOUBLE and MPI_WCHAR would not be the MPI library's.
// RUN: %mpispec --mpispec-verbose gcc -mlong-double-64 -I%inputs/mpi-mpich-style -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck --check-prefix=SIZE %s
// RUN: %mpispec --mpispec-verbose gcc -fshort-wchar -I%inputs/mpi-mpich-style -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck --check-prefix=SIZE %s
// SIZE: not specialised: {{.*}} options that mpispec does not take apart: -{{mlong|fshort}}
