/* MPI_Gatherv to each rank in turn, with portions that differ, short and long; and reductions between, which would meet
 * what is left of it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

/* Each rank p gives (length - p) bytes of value p + 1. */
static int gather(int length, int root) {
  const int own = length - rank;
  char *given = malloc((size_t)length), *got = calloc((size_t)size, (size_t)length);
  int *counts = malloc(sizeof(int) * (size_t)size), *places = malloc(sizeof(int) * (size_t)size), bad = 0;
  memset(given, rank + 1, (size_t)own);
  for (int p = 0; p < size; ++p)
    counts[p] = length - p, places[p] = p * length;
  MPI_Gatherv(given, own, MPI_CHAR, got, counts, places, MPI_CHAR, root, MPI_COMM_WORLD);
  for (int p = 0; rank == root && p < size; ++p)
    bad += got[places[p]] != p + 1 || got[places[p] + counts[p] - 1] != p + 1;
  free(given), free(got), free(counts), free(places);
  return bad;
}

int main(void) {
  int bad = 0, all;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 60; ++i) {
    int sum;
    bad += gather(i % 20 ? 16 + i : 1 << 20, i % size);
    MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    bad += sum != i * size;
  }
  MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    puts(all ? "wrong" : "right");
  return MPI_Finalize();
}
