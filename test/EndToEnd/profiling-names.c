/* A program sends by PMPI_Send, and receives by MPI_Recv. MPI gives both names the same meaning (MPI-4.0, 15.2). The
 * runtime defines only MPI_Recv. Therefore such a program has no runtime, or the runtime steps aside. A tool, which
 * defines MPI_Send and calls PMPI_Send, keeps it. */
#include <mpi.h>
#include <stdio.h>

#ifdef TOOL
int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return PMPI_Send(buffer, count, type, to, tag, comm);
}
#endif

int main(int argc, char **argv) {
  int rank, value;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  value = rank + 8;
  if (rank == 0) {
#ifdef TOOL
    MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
#else
    PMPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
#endif
  } else if (rank == 1) {
    MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("received %d\n", value);
  }
  MPI_Finalize();
}

// RUN: %mpispec mpicc -O2 %s -o %t 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: calls PMPI_Send, whose messages would not meet those of MPI functions: linked without the runtime
// RUN: %mpirun -n 2 %t | FileCheck %s
// RUN: mpicc -O2 -Dmain=body -c %s -o %t.o && rm -f %t.a && ar rc %t.a %t.o
// RUN: echo 'int body(int, char **); int main(int c, char **v) { return body(c, v); }' >%t.main.c
// RUN: %mpispec mpicc -O2 -w %t.main.c %t.a -o %t.archive 2>&1 | FileCheck %s --check-prefix=LINK
// RUN: %mpirun -n 2 %t.archive | FileCheck %s
// RUN: mpicc -O2 %s -o %t.plain
// RUN: %if !abi %{ env MPISPEC_VERBOSE=1 LD_PRELOAD=%library/libmpispec.so %mpirun -n 2 %t.plain 2>&1 | FileCheck %s --check-prefixes=ASIDE,CHECK %}
// ASIDE-DAG: a part of the program calls PMPI (PMPI_Send)
// RUN: %mpispec mpicc -O2 -DTOOL %s -o %t.tool 2>&1 | FileCheck %s --check-prefix=TOOL --allow-empty
// TOOL-NOT: without the runtime
// RUN: %mpirun -n 2 %t.tool | FileCheck %s
// CHECK-DAG: received 8
