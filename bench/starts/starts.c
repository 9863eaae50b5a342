/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A job that starts and ends, for compare-starts.py. With an argument, all ranks exchange messages
 * of 8 B and 64 KiB with all others between start and end. Rank 0 then prints its memory. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGER = 65536 };

static void exchange_with_all(int rank, int size) {
  char *out = calloc(LONGER, 1), *in = calloc(LONGER, 1);
  for (int bytes = 8; bytes <= LONGER; bytes *= LONGER / 8)
    for (int distance = 1; distance < size; ++distance)
      MPI_Sendrecv(out, bytes, MPI_CHAR, (rank + distance) % size, 0, in, bytes, MPI_CHAR,
                   (rank + size - distance) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(in);
  free(out);
}

/* Prints the lines of /proc/self/status about address space and page tables. */
static void print_memory(void) {
  char line[256];
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (!strncmp(line, "VmPeak", 6) || !strncmp(line, "VmPTE", 5))
      fputs(line, stdout);
  if (status)
    fclose(status);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1)
    exchange_with_all(rank, size);
  if (argc > 1 && rank == 0)
    print_memory();
  MPI_Finalize();
  return 0;
}
