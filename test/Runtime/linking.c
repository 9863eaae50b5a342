/* Both libraries define what MPI_Init needs; the strong state wins over an object's weak one, and a
 * state of another version is noticed. */
#include <mpi.h>
#include <stdio.h>

struct state {
  unsigned size, version, fast_size, rank;
} mpispec_state __asm__(STATE) __attribute__((weak)) = {16, VERSION, 0, 0};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  printf("version %u\n", mpispec_state.version);
  return MPI_Finalize();
}

// RUN: %mpicc -DSTATE='"mpispec_state_14_%style"' -DVERSION=99 %s -o %t.static %runtime
// RUN: %mpirun -n 1 %t.static 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: %mpicc -DSTATE='"mpispec_state_14_%style"' -DVERSION=99 %s -o %t.shared %runtime-shared
// RUN: %mpirun -n 1 %t.shared 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: nm -D --defined-only %library-shared | FileCheck %s --check-prefix=EXPORTS

// STATIC-NOT: mpispec
// STATIC: version 14

// SHARED-DAG: mpispec: all calls go to MPI: this program was specialised for another version of the runtime
// SHARED-DAG: version 99

// EXPORTS-NOT: {{ [a-zA-Z] (_?_?mpispec_[^s])}}
// EXPORTS-DAG: T MPI_Init
// EXPORTS-DAG: D mpispec_state_14_{{mpich|abi|ompi}}
