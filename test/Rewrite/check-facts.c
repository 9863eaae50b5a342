// --mpispec-check-facts: each call tests its facts before it is made.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, n = argc, got = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (n < 100)
    MPI_Sendrecv(&n, 1, MPI_INT, rank, 7, &got, 1, MPI_INT, rank, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  MPI_Finalize();
  return got != n;
}

// RUN: rm -rf %t && mkdir %t
// RUN: %mpispec --mpispec-check-facts --mpispec-save=%t/save mpicc -std=c99 -O1 -c %s -o %t/program.o
// RUN: mpicc %t/program.o -o %t/program
// RUN: %mpirun -n 2 %t/program
// RUN: cat %t/save/*/rewritten.i | FileCheck %s
// CHECK: mpispec_check_range([[LINE:[0-9]+]], 2, send_count, 1, 1);
// CHECK: mpispec_check_peer([[LINE]], 4, destination, (unsigned long)comm, 1);
// CHECK: return mpispec_Sendrecv_short_local(

// A fact that is wrong ends the program: here the text is changed after the analysis.
// RUN: sed -e '/^mpispec_site_0/,/^}/s/, 1, 1);/, 2, 2);/' %t/save/*/rewritten.i > %t/wrong.i
// RUN: mpicc -O1 %t/wrong.i -o %t/wrong
// RUN: not %mpirun -n 1 %t/wrong 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: mpispec: line 8: argument 2 is 1, proven to be in [2, 2]
