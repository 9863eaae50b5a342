// Facts about the program that Clang sees may not be used for another one. Then gcc's own text is read.
#include <mpi.h>

#if __has_attribute(enable_if)
#define N 4
#else
#define N 5
#endif

int send(const void *b) { return MPI_Send(b, N, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD); }

// RUN: gcc -E -I%inputs/mpi-mpich-style %s -o %t.i
// RUN: rm -rf %t.new.i %t.yaml
// RUN: %analyze unit --preprocessed=%t.i --output=%t.new.i --remarks=%t.yaml -- -I%inputs/mpi-mpich-style %s
// RUN: FileCheck %s < %t.yaml
// RUN: FileCheck --check-prefix=TEXT %s < %t.new.i
// CHECK: Line: 10,
// CHECK: - count: '5'
// CHECK: - tag: '7'
// TEXT: const long long mpispec_count = 5;
// TEXT: return mpispec_site_0(b, 5,

// RUN: clang-22 -E -I%inputs/mpi-mpich-style %s -o %t.i
// RUN: %analyze unit --preprocessed=%t.i --output=%t.new.i --user-compiler=clang \
// RUN:   -- -I%inputs/mpi-mpich-style %s
