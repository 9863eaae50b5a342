// Names with letters beyond ASCII, written as letters or as numbers. gcc prints numbers.
#include <mpi.h>

double größe[8];
void na\u00efve(int \u0394) { MPI_Send(größe, 1, MPI_DOUBLE, Δ, 0, MPI_COMM_WORLD); }
const char *text = u8R"(na\u00efve größe)" "\u00e9é";

// RUN: for cxx in g++ clang++-22; do \
// RUN:   %mpispec --mpispec-verbose mpicxx -cxx=$cxx -std=c++17 -c %s -o %t.o 2>&1 \
// RUN:     | FileCheck %s || exit 1; done
// CHECK: sites=1 rewritten=1
