// A unit for another processor gets templates in plain C: its compiler has neither builtins nor instructions of x86.
#include <mpi.h>

void receive(double *b) { MPI_Recv(b, 16, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
void send(double *b) { MPI_Send(b, 16, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD); }

// DEFINE: %{compiler} = clang-22 --target=aarch64-linux-gnu -O2
// RUN: %{compiler} -E -I%inputs/mpi-mpich-style %s -o %t.i
// RUN: %analyze unit --preprocessed=%t.i --output=%t.new.i --user-compiler=clang -- --target=aarch64-linux-gnu -O2 \
// RUN:   -I%inputs/mpi-mpich-style %s
// RUN: FileCheck %s --input-file=%t.new.i --implicit-check-not=ia32 --implicit-check-not=prefetchw
// CHECK: mpispec_Recv(
// RUN: %{compiler} -x cpp-output -c %t.new.i -o %t.o
