/* Every collective of the catalog: each root, several operations, MPI_IN_PLACE, short and long,
 * with a derived datatype, and on communicators that are not the world. */
#include "expect.h"
#include <stdlib.h>

static void bcast(MPI_Comm comm, int rank, int size) {
  double block[200];
  int root, i, word;
  for (root = 0; root < size; root++) {
    word = rank == root ? 41 + root : -1;
    MPI_Bcast(&word, 1, MPI_INT, root, comm);
    EXPECT(word == 41 + root);
    for (i = 0; i < 200; i++)
      block[i] = rank == root ? root + 0.5 * i : -1.0;
    MPI_Bcast(block, 200, MPI_DOUBLE, root, comm);
    EXPECT(block[0] == root && block[199] == root + 99.5);
  }
  MPI_Bcast(block, 0, MPI_DOUBLE, 0, comm);
}

static void reduce(MPI_Comm comm, int rank, int size) {
  int mine = rank + 1, sum = -1, root;
  double values[150], total[150];
  struct {
    double value;
    int index;
  } place = {(rank * 7) % 5, rank}, least = {-1, -1};
  int i, expected = size * (size + 1) / 2;
  for (root = 0; root < size; root++) {
    MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, root, comm);
    EXPECT(rank != root || sum == expected);
  }
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  EXPECT(sum == expected);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_MAX, comm);
  EXPECT(sum == size);
  sum = mine;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_MIN, comm);
  EXPECT(sum == 1);
  for (i = 0; i < 150; i++)
    values[i] = i + rank;
  MPI_Allreduce(values, total, 150, MPI_DOUBLE, MPI_SUM, comm);
  EXPECT(total[149] == 149.0 * size + expected - size);
  MPI_Allreduce(&place, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm);
  EXPECT(least.value == 0 && least.index == 0);
}

static void exchange(MPI_Comm comm, int rank, int size) {
  int *send = malloc(sizeof(int) * 400 * (size_t)size),
      *recv = calloc(400 * (size_t)size, sizeof(int));
  int i, n;
  for (n = 1; n <= 400; n += 399) { /* 4 bytes and 1600 bytes a block */
    for (i = 0; i < n * size; i++)
      send[i] = 1000 * rank + i / n;
    MPI_Alltoall(send, n, MPI_INT, recv, n, MPI_INT, comm);
    for (i = 0; i < n * size; i++)
      EXPECT(recv[i] == 1000 * (i / n) + rank);
    MPI_Allgather(send, n, MPI_INT, recv, n, MPI_INT, comm);
    for (i = 0; i < n * size; i++)
      EXPECT(recv[i] == 1000 * (i / n) + i % n / n);
  }
  recv[rank] = 7 * rank;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, recv, 1, MPI_INT, comm);
  for (i = 0; i < size; i++)
    EXPECT(recv[i] == 7 * i);
  MPI_Allgather(&rank, 1, MPI_INT, recv, 1, MPI_INT, comm);
  EXPECT(recv[size - 1] == size - 1);
  free(recv);
  free(send);
}

/* The same bytes under different types on different ranks: allowed in a Bcast. */
static void mixed_types(MPI_Comm comm, int rank) {
  int words[16], i;
  MPI_Datatype sixteen;
  MPI_Type_contiguous(16, MPI_INT, &sixteen);
  MPI_Type_commit(&sixteen);
  for (i = 0; i < 16; i++)
    words[i] = rank == 0 ? i * i : 0;
  if (rank == 0)
    MPI_Bcast(words, 1, sixteen, 0, comm);
  else
    MPI_Bcast(words, 16, MPI_INT, 0, comm);
  EXPECT(words[15] == 225);
  MPI_Type_free(&sixteen);
}

static void all(MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  bcast(comm, rank, size);
  reduce(comm, rank, size);
  MPI_Barrier(comm);
  exchange(comm, rank, size);
  mixed_types(comm, rank);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Comm half, again;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  all(MPI_COMM_WORLD);
  all(MPI_COMM_SELF);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  all(half);
  MPI_Comm_dup(half, &again);
  MPI_Comm_free(&half);
  all(again);
  MPI_Comm_free(&again);
  MPI_Barrier(MPI_COMM_WORLD);
  return expect_finish();
}

// RUN: sh %inputs/same-both-ways.sh %mpispec %t "1 2 4" mpicc -O2 -I %inputs %s
// RUN: %behind clang-22 sh %inputs/same-both-ways.sh %mpispec %t "4" mpicc -O2 -I %inputs %s
