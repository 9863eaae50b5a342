// The form for people: the file's own text with macros and directives, the templates as includes.
#include <mpi.h>
#define tag 7
#define CHECK(call) do { if ((call) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1); } while (0)
#define SEND(b) MPI_Send(b, 1, MPI_INT, 1, tag, MPI_COMM_WORLD)

// Sends twice.
static void twice(int *b, int n) {
  CHECK(MPI_Send(b, n, MPI_INT, 1, tag, MPI_COMM_WORLD));
  SEND(b);
}

void run(int *b) { twice(b, 3); }

// RUN: %analyze rewrite -- -I%inputs/mpi-mpich-style %s > %t.c 2> %t.err
// RUN: FileCheck %s --input-file=%t.c
// RUN: FileCheck %s --input-file=%t.err --check-prefix=LEFT
// RUN: gcc -Wall -Wextra -Werror -pedantic -fsyntax-only -I%templates -I%inputs/mpi-mpich-style %t.c
// RUN: clang-22 -Wall -Wextra -Werror -pedantic -fsyntax-only -I%templates -I%inputs/mpi-mpich-style %t.c

// CHECK:      // The form for people
// CHECK-NEXT: #include "mpispec/send.h"
// CHECK-NEXT: #include <mpi.h>
// CHECK-NEXT: #define tag 7
// CHECK:      static __inline__
// CHECK-NEXT: mpispec_site_0({{.*}} int tag_, MPI_Comm comm)
// CHECK:      // Sends twice.
// CHECK-NEXT: static void twice(int *b, int n) {
// CHECK-NEXT:   CHECK(mpispec_site_0(b, n, MPI_INT, 1, tag, MPI_COMM_WORLD));
// CHECK-NEXT:   SEND(b);
// LEFT: left as it is: {{.*}}readable.c:10:3: MPI_Send: in the body of macro SEND
