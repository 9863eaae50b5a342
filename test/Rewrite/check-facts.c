// --mpispec-check-facts: each call counts how often its facts hold.
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
// CHECK: static struct mpispec_check mpispec_checks_0[] = {
// CHECK: check-facts.c:8: MPI_Sendrecv: argument 2 is proven to be in [1, 1]", 0, 0, 0, 0},
// CHECK: mpispec_check_range(mpispec_checks_0 + {{[0-9]+}}, send_count, 1, 1);
// CHECK: mpispec_check_peer(mpispec_checks_0 + {{[0-9]+}}, destination, (unsigned long)comm, 1);
// CHECK: mpispec_Sendrecv({{.*}}, mpispec_locality_local)

// A fact that is wrong is told at the end, and nothing else is different: here the text is changed
// after the analysis.
// RUN: sed -e '/^mpispec_site_0/,/^}/s/count, 1, 1);/count, 2, 2);/' %t/save/*/rewritten.i > %t/wrong.i
// RUN: mpicc -O1 %t/wrong.i -o %t/wrong
// RUN: %mpirun -n 1 %t/wrong 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: check-facts.c:8: MPI_Sendrecv: argument 2 is proven to be in [1, 1], but was 1 (in 1 of 1 calls)

// A constant that the call's argument does not have is a wrong fact, too: the ordinary call is made.
// RUN: sed -e 's/mpispec_send_count = 1;/mpispec_send_count = 2;/' %t/save/*/rewritten.i > %t/guarded.i
// RUN: mpicc -O1 %t/guarded.i -o %t/guarded
// RUN: %mpirun -n 2 %t/guarded
