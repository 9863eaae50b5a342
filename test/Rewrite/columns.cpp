// A program may print the columns of its own source. They are those of the source that it was written in:
// such a unit is compiled by the user's command. A unit that reads lines only is specialised.
#include <cstdio>
#include <mpi.h>
#include <source_location>

#ifdef BUILTIN
#define WHERE unsigned column = __builtin_COLUMN()
#define COLUMN column
#elif defined(LINES)
#define WHERE std::source_location where = std::source_location::current()
static const unsigned column = 0; // a name of the program's own
#define COLUMN column
#else
#define WHERE std::source_location where = std::source_location::current()
#define COLUMN where.column()
#endif

#ifdef BUILTIN
static void check(int error, unsigned line = __builtin_LINE(), WHERE) {
#else
static void check(int error, WHERE) {
  unsigned line = where.line();
#endif
  std::printf("%d at %u:%u\n", error, line, COLUMN);
}
#define CHECK_CALL(CALL) check(CALL)

int main(int argc, char **argv) {
  int rank, out = 1, in = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  check(MPI_Irecv(&in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &request));
  CHECK_CALL(MPI_Send(&out, 1, MPI_INT, rank, 0, MPI_COMM_WORLD)); check(0);
  if (rank == 0) CHECK_CALL(MPI_Wait(&request, MPI_STATUS_IGNORE)); check(in);
  MPI_Finalize();
}

// RUN: mpicxx -std=c++20 -O2 %s -o %t.plain && %mpirun -n 1 %t.plain > %t.expected
// RUN: rm -rf %t.remarks && %mpispec --mpispec-remarks=%t.remarks mpicxx -std=c++20 -O2 %s -o %t
// RUN: %mpirun -n 1 %t | diff %t.expected - && cat %t.remarks/*.yaml | FileCheck %s --check-prefix=LEFT
// LEFT: Name: fallback-reads-columns
//
// RUN: %behind clang-22 mpicxx -std=c++20 -O2 -DBUILTIN %s -o %t.plain
// RUN: %mpirun -n 1 %t.plain > %t.expected
// RUN: %behind clang-22 %mpispec mpicxx -std=c++20 -O2 -DBUILTIN %s -o %t
// RUN: %mpirun -n 1 %t | diff %t.expected -
//
// RUN: mpicxx -std=c++20 -O2 -DLINES %s -o %t.plain && %mpirun -n 1 %t.plain > %t.expected
// RUN: %mpispec --mpispec-remarks=%t.lines mpicxx -std=c++20 -O2 -DLINES %s -o %t
// RUN: %mpirun -n 1 %t | diff %t.expected - && cat %t.lines/*.yaml | FileCheck %s --check-prefix=LINES
// LINES: Name: specialised
