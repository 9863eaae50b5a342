/* Sixty-four ranks on a node start soon and take little memory until they communicate. */
#include "check.h"

#include <mpi.h>
#include <string.h>

/* Kilobytes of all segments that are in memory, our share of them. */
static double resident(void) {
  char line[512];
  long kilobytes;
  double sum = 0;
  int ours = 0;
  FILE *maps = fopen("/proc/self/smaps", "r");
  while (fgets(line, sizeof line, maps)) {
    if (strstr(line, "rw-s"))
      ours = strstr(line, "memfd:mpispec") != NULL;
    if (ours && sscanf(line, "Pss: %ld", &kilobytes) == 1)
      sum += kilobytes;
  }
  fclose(maps);
  return sum;
}

int main(int argc, char **argv) {
  int rank, size, in = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double mine = resident(), all = 0;
  MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, MPI_ANY_SOURCE, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(in == (rank + size - 1) % size);
  if (rank == 0)
    printf("%d ranks, %s 64 MiB\n", size, all < 64 * 1024 ? "below" : "above");
  MPI_Finalize();
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 64 %t | FileCheck %s
// CHECK: 64 ranks, below 64 MiB
