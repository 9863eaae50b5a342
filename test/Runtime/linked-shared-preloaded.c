/* Program and runtime work together whichever way the runtime came in: linked statically, as a shared library, or
 * preloaded. They also do in a program that is linked to a fixed address. */
#include "check.h"

#include <mpi.h>

void library_send(int *value, int peer, MPI_Comm comm);
void library_receive(int *value, int peer, MPI_Comm comm);

#ifdef TAKE_ADDRESS /* which stands in the program, if that is bound to one place in memory */
int (*volatile taken)(const void *, int, MPI_Datatype, int, int, MPI_Comm) = MPI_Send;
#define MPI_Send taken
#endif

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 100; ++i) {
    if (rank == 0) {
      value = i;
      library_send(&value, 1, MPI_COMM_WORLD);
      MPI_Recv(&value, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(value == i + 1);
    } else {
      library_receive(&value, 0, MPI_COMM_WORLD);
      ++value;
      MPI_Send(&value, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  if (rank == 0)
    puts("understood");
  return 0;
}

// Preloads into programs that know nothing of a sanitizer.
// UNSUPPORTED: sanitizer
// RUN: %mpicc -fPIC -shared %tool/user-library.c -o %t.so
// RUN: %mpicc -w %include %s %t.so -o %t.static %runtime
// RUN: %mpicc -w %include %s %t.so -o %t.shared %runtime-shared
// RUN: %mpicc -w %include %s %t.so -o %t.plain
// RUN: %mpicc -w -no-pie -fno-pie -DTAKE_ADDRESS %include %s %t.so -o %t.fixed %runtime-shared
// RUN: env MPISPEC_MODE=lanes MPISPEC_VERBOSE=1 %mpirun -n 2 %t.static >%t.out 2>&1
// RUN: FileCheck %s <%t.out
// RUN: env MPISPEC_MODE=lanes MPISPEC_VERBOSE=1 %mpirun -n 2 %t.shared >%t.out 2>&1
// RUN: FileCheck %s <%t.out
// RUN: env MPISPEC_MODE=lanes MPISPEC_VERBOSE=1 LD_PRELOAD=%library-shared %mpirun -n 2 %t.plain \
// RUN:   >%t.out 2>&1
// RUN: FileCheck %s <%t.out
// RUN: env MPISPEC_MODE=lanes MPISPEC_VERBOSE=1 %mpirun -n 2 %t.fixed >%t.out 2>&1
// RUN: FileCheck %s <%t.out
// CHECK-DAG: lanes are open
// CHECK-DAG: understood
