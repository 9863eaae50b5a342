// Where gcc compiles the program, its feature tests find gcc. The headers of an MPI library and of the
// system find Clang.
#include <stddef.h>
#include <mpi.h>

#ifdef __clang__
#define N 4
#elif __GNUC__ >= 5
#define N 5
#endif

int send(const void *b) { return MPI_Send(b, N, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD); }

// RUN: gcc -E -I%inputs/mpi-mpich-style %s -o %t.i
// RUN: %analyze unit --preprocessed=%t.i --output=%t.new.i -- -I%inputs/mpi-mpich-style %s
// RUN: FileCheck %s --input-file=%t.new.i --check-prefix=GCC
// GCC: const long long mpispec_count = 5;

// RUN: clang-22 -E -I%inputs/mpi-mpich-style %s -o %t.i
// RUN: %analyze unit --preprocessed=%t.i --output=%t.new.i --user-compiler=clang \
// RUN:   -- -I%inputs/mpi-mpich-style %s
// RUN: FileCheck %s --input-file=%t.new.i --check-prefix=CLANG
// CLANG: const long long mpispec_count = 4;
