/* Both libraries define what MPI_Init needs. The strong state of the static one wins over an object's weak one; with the
 * shared one the object's is the state of both. Either way there is one, and lanes are open. */
#include <mpi.h>
#include <stdio.h>

#include "mpispec/weak_state.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  printf("fast for %u ranks\n", mpispec_state.fast_size);
  return MPI_Finalize();
}

// RUN: %mpicc -I%templates %s -o %t.static %runtime
// RUN: env MPISPEC_VERBOSE=1 %mpirun -n 2 %t.static 2>&1 | FileCheck %s
// RUN: %mpicc -I%templates %s -o %t.shared %runtime-shared
// RUN: env MPISPEC_VERBOSE=1 %mpirun -n 2 %t.shared 2>&1 | FileCheck %s
// RUN: nm -D --defined-only %library-shared | FileCheck %s --check-prefix=EXPORTS -DSTATE=%state

// CHECK-DAG: mpispec: lanes are open
// CHECK-DAG: fast for 2 ranks
// CHECK-DAG: fast for 2 ranks

// EXPORTS-NOT: {{ [a-zA-Z] (_?_?mpispec_[^s])}}
// EXPORTS-DAG: T MPI_Init
// EXPORTS-DAG: {{[BD]}} [[STATE]]
