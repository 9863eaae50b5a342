// A call in an inline function with external linkage stays as it is: a compiler would warn about the static function
// that stands in for it, whose place is in the program's text. Other calls of the unit are specialised.
#include <mpi.h>
#include <stdio.h>

inline void put(double *number, int to) { MPI_Send(number, 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD); }
extern inline void put(double *number, int to);

inline void put_again(double *number, int to);
void put_again(double *number, int to) { MPI_Send(number, 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD); }

static void get(double *number, int from);
inline void get(double *number, int from) {
  MPI_Recv(number, 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank;
  double number = 1.5;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    put(&number, 1);
    put_again(&number, 1);
  } else if (rank == 1) {
    get(&number, 0);
    number = 0;
    get(&number, 0);
    printf("%g\n", number);
  }
  MPI_Finalize();
}

// RUN: for compiler in gcc clang-22; do \
// RUN:   rm -rf %t.remarks && env MPICH_CC=$compiler %mpispec --mpispec-remarks=%t.remarks mpicc -std=c11 -O2 -Werror -pedantic-errors %s -o %t && \
// RUN:   not grep -r fallback %t.remarks && %mpirun -n 2 %t || exit 1; done | FileCheck %s
// CHECK-COUNT-2: 1.5
// RUN: %mpispec explain %s -- -O2 | FileCheck %s --check-prefix=REMARK
// REMARK: inline-functions.c:6:43 MPI_Send left as it is
// REMARK: {{\[in-inline-function\]}}
// REMARK: inline-functions.c:10:42 MPI_Send left as it is
// REMARK: inline-functions.c:14:3 MPI_Recv Recv
