// What is proven about Clang's program may not be used for another one.
#include <mpi.h>

#if __has_attribute(enable_if)
#define N 4
#else
#define N 5
#endif

int send(const void *b) { return MPI_Send(b, N, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD); }

// RUN: gcc -E -I%inputs/mpi-mpich-style %s -o %t.i
// RUN: rm -f %t.new.i
// RUN: not %analyze unit --preprocessed=%t.i --output=%t.new.i -- -I%inputs/mpi-mpich-style %s \
// RUN:   | FileCheck %s
// RUN: test ! -e %t.new.i
// CHECK: reason=fallback-preprocessed-differently text=preprocessed differently at {{.*}}differs-from-clang.c:10: '5' here, '4' under clang

// RUN: clang-22 -E -I%inputs/mpi-mpich-style %s -o %t.i
// RUN: %analyze unit --preprocessed=%t.i --output=%t.new.i --user-compiler=clang \
// RUN:   -- -I%inputs/mpi-mpich-style %s
