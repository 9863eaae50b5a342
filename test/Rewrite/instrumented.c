// A program that counts its functions' calls counts its own.
#include <mpi.h>
#include <stdio.h>

static int entered;
__attribute__((__no_instrument_function__)) void __cyg_profile_func_enter(void *f, void *c) {
  entered++;
}
__attribute__((__no_instrument_function__)) void __cyg_profile_func_exit(void *f, void *c) {}

double b[2];
static int exchange(int peer) {
  return MPI_Sendrecv(&b[0], 1, MPI_DOUBLE, peer, 0, &b[1], 1, MPI_DOUBLE, peer, 0, MPI_COMM_SELF,
                      MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  exchange(0);
  MPI_Finalize();
  printf("entered %d\n", entered);
  return 0;
}

// RUN: for cc in gcc clang-22; do for options in -O0 -O2 "-O2 --mpispec-check-facts"; do \
// RUN:   %mpispec mpicc -cc=$cc $options -finstrument-functions %s -o %t && \
// RUN:     %mpirun -n 1 %t | FileCheck %s || exit 1; done; done
// CHECK: entered 2
