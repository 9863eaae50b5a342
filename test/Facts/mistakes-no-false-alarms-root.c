// The root may never reach a call that all paths through main execute: it runs another program, or a function of
// another file does its work and ends by exit(). Then the arguments of the root do not count.
#include <mpi.h>
#include <stdio.h>

void master(void);

int main(int argc, char **argv) {
  int rank, x = 1, dummy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef MASTER
  if (rank == 0)
    master();
#elif defined(GROUP) // the worker compares its rank among the workers
  MPI_Comm workers;
  MPI_Comm_split(MPI_COMM_WORLD, 1, 0, &workers);
  MPI_Comm_rank(workers, &rank);
  if (rank == 0)
    puts("first worker");
#else
  printf("worker %d\n", rank);
#endif
  MPI_Gather(&x, 1, MPI_INT, 0, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Gather(&x, 1, MPI_INT, &dummy, 64, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Gatherv(&x, 1, MPI_INT, 0, 0, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  MPI_Reduce(&x, 0, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  return MPI_Finalize();
}

// RUN: %facts %check
// RUN: %facts -DMASTER %check
// RUN: %facts -DGROUP %check
// CHECK-NOT: warning
// CHECK:     3: copies=1
// CHECK-NOT: warning
