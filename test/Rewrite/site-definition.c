// The callee of a call is renamed; its definition stands before the enclosing declaration and knows
// what is proven. All other text, and the lines that the compiler reports, stay.
#include <mpi.h>

enum { N = 4 };

int exchange(double *b, int rank) {
  if (rank == 0)
    return MPI_Send(b, N, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
  return __LINE__;
}

int main(int argc, char **argv) {
  double b[N];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  exchange(b, rank);
  return MPI_Finalize();
}

// RUN: gcc -E -I%inputs/mpi-mpich-style %s -o %t.i
// RUN: %analyze unit --preprocessed=%t.i --output=%t.new.i -- -I%inputs/mpi-mpich-style %s
// RUN: FileCheck %s --input-file=%t.new.i
// RUN: gcc -Wall -Wextra -Werror -pedantic -fsyntax-only %t.new.i

// CHECK:      # 1 "<mpispec>" 3
// CHECK:      mpispec_Send(
// CHECK:      # {{[0-9]+}} "{{.*}}mpi.h"
// CHECK:      enum { N = 4 };
// CHECK:      # 1 "<mpispec>" 3
// CHECK-NEXT: static __inline__ __attribute__(({{.*}})) int
// CHECK-NEXT: # 9 "{{.*}}site-definition.c" 3
// CHECK-NEXT: mpispec_site_0(const void *buffer, int count, MPI_Datatype datatype, int peer, int tag, MPI_Comm comm)
// CHECK-NEXT: # 1 "<mpispec>" 3
// CHECK-NEXT: {
// CHECK-NEXT:   /* MPI_Send, {{.*}}site-definition.c:9:12
// CHECK-NEXT:      count 4: enum constant N; datatype MPI_DOUBLE: macro MPI_DOUBLE; {{.*}}tag 7: literal; comm MPI_COMM_WORLD{{.*}}size short{{.*}}*/
// CHECK-NEXT:   const long long mpispec_count = 4;
// CHECK-NEXT:   return __builtin_expect(count == mpispec_count && (unsigned long)datatype == 0x4c00080bul && (unsigned long)comm == 0x44000000ul, 1) &&
// CHECK-NEXT:                  mpispec_Send(buffer, mpispec_count, 8, peer, tag, mpispec_comm_world)
// CHECK-NEXT:              ? 0
// CHECK-NEXT: # 1 "<mpispec>"{{$}}
// CHECK-NEXT:              : MPI_Send(buffer, count, datatype, peer, tag, comm);
// CHECK-NEXT: # 1 "<mpispec>" 3
// CHECK-NEXT: }
// CHECK-NEXT: # 2 "<mpispec>" 3
// CHECK-NEXT: # 7 "{{.*}}site-definition.c"
// CHECK-NEXT: int exchange(double *b, int rank) {
// CHECK-NEXT:   if (rank == 0)
// CHECK-NEXT:     return mpispec_site_0(b, N, ((MPI_Datatype){{.*}}), 1, 7, ((MPI_Comm){{.*}}));
// CHECK-NEXT:   return 10;
