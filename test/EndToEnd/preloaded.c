/* The runtime is preloaded onto programs that have it already, or were specialised without it: one of
 * both works, lanes are open, and nobody complains. */
#include <mpi.h>
#include <stdio.h>

extern unsigned state[] __asm__(STATE); /* fast_size, ... */

int main(int argc, char **argv) {
  int rank, size, value, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 3, &value, 1, MPI_INT,
               (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %d, fast for %u ranks\n", sum, state[0]);
  MPI_Finalize();
  return 0;
}

// RUN: rm -rf %t && mkdir %t && cd %t && cp %library/libmpispec.so other.so
// DEFINE: %{state} = -DSTATE='"%state"'
// RUN: %mpispec mpicc -O2 %{state} %s -o static
// RUN: %mpispec mpicc -O2 %{state} -c %s -o prog.o
// RUN: mpicc prog.o -L%library -Wl,-rpath,%library -lmpispec -o shared
// RUN: mpicc prog.o -o without
// DEFINE: %{run} = env MPISPEC_VERBOSE=1 %mpirun -n 2 env

// RUN: for program in static shared; do for library in "" %library/libmpispec.so ./other.so \
// RUN:     "./other.so %library/libmpispec.so"; do \
// RUN:   %{run} LD_PRELOAD="$library" ./$program >out 2>&1 && FileCheck %s <out || exit 1; done; done
// CHECK-NOT: all calls
// CHECK-DAG: mpispec: lanes are open
// CHECK-DAG: sum 1, fast for 2 ranks
// CHECK-NOT: all calls

// The copy inside a program is out of a preloaded runtime's reach: its templates make the ordinary call.
// RUN: %{run} LD_PRELOAD=./other.so ./without >out 2>&1 && FileCheck --check-prefix=WITHOUT %s <out
// WITHOUT-DAG: mpispec: lanes are open
// WITHOUT-DAG: sum 1, fast for 0 ranks

// A tool that stands behind both is still found.
// RUN: mpicc -fPIC -shared -DTOOL=Waitall -w -I%inputs/.. %inputs/../Runtime/Inputs/tool.c -o tool.so
// RUN: %{run} LD_PRELOAD="./other.so ./tool.so" ./static >out 2>&1 && FileCheck --check-prefix=TOOL %s <out
// TOOL-DAG: mpispec: all calls go to MPI: another tool stands behind the runtime and gets all calls (MPI_Waitall)
// TOOL-DAG: sum 1, fast for 0 ranks
