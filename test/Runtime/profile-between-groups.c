/* A profile reads only the arguments of collective operations that MPI reads. Between two groups: Reduce_scatter has a
 * count for each rank of the own group, and the datatypes of ranks that take no part in Gather, or of a root that only
 * receives, are not significant. A datatype may have been made by a constructor with large counts. */
#include "check.h"

#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

static int rank;

/* Returns the counts, after which no memory can be read. */
static int *counts_at_end(int count, int each) {
  char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + PAGE, PAGE, PROT_NONE);
  int *counts = (int *)(pages + PAGE) - count;
  for (int i = 0; i < count; ++i)
    counts[i] = each;
  return counts;
}

int main(int argc, char **argv) {
  int out[3] = {1, 2, 3}, in[3] = {0}, size, number = rank, got = -1;
  MPI_Comm half, both;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &half);
  MPI_Comm_size(half, &size);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank ? 0 : 1, 5, &both);
  MPI_Reduce_scatter(out, in, counts_at_end(size, 3 / size), MPI_INT, MPI_SUM, both);
  CHECK(in[0] == (rank ? rank : 3));
  number = rank + 7;
  const MPI_Datatype invalid = (MPI_Datatype)0x0c00abcd;
  if (rank == 1)
    MPI_Gather(NULL, 1, invalid, &got, 1, MPI_INT, MPI_ROOT, both);
  else if (rank)
    MPI_Gather(NULL, 1, invalid, NULL, 1, invalid, MPI_PROC_NULL, both);
  else
    MPI_Gather(&number, 1, MPI_INT, NULL, 0, invalid, 0, both);
  CHECK(rank != 1 || got == 7);
#if MPI_VERSION >= 4
  MPI_Datatype strided;
  MPI_Type_vector_c(2, 1, 2, MPI_INT, &strided);
  MPI_Type_commit(&strided);
  MPI_Sendrecv(out, 1, strided, rank, 0, in, 1, strided, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(in[0] == 1 && in[2] == 3);
  MPI_Type_free(&strided);
#endif
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// REQUIRES: mpich
// RUN: %mpicc -w -I%S %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 4 %t | FileCheck %s
// RUN: rm -rf %t.profile && env MPISPEC_MODE=lanes MPISPEC_PROFILE=%t.profile %mpirun -n 4 %t | FileCheck %s
// CHECK: passed
