/* Send and receive in one call: around a ring, along a line that ends in MPI_PROC_NULL, to oneself,
 * and with a wildcard as source. */
#include "expect.h"

enum { tag = 3 };

static void ring(int rank, int size) {
  int left = (rank + size - 1) % size, right = (rank + 1) % size, got = -1, i;
  double block[300];
  MPI_Status status;
  MPI_Sendrecv(&rank, 1, MPI_INT, right, tag, &got, 1, MPI_INT, left, tag, MPI_COMM_WORLD, &status);
  EXPECT(got == left && status.MPI_SOURCE == left && status.MPI_TAG == tag);
  for (i = 0; i < 300; i++) /* 2400 bytes: long */
    block[i] = rank + i / 1024.0;
  MPI_Sendrecv_replace(block, 300, MPI_DOUBLE, right, tag, left, tag, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  for (i = 0; i < 300; i++)
    EXPECT(block[i] == left + i / 1024.0);
  MPI_Sendrecv(&rank, 1, MPI_INT, right, rank, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
               MPI_COMM_WORLD, &status);
  EXPECT(got == left && status.MPI_SOURCE == left && status.MPI_TAG == left);
}

static void line(int rank, int size) {
  int west = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  int east = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  int count = -1;
  float mine = (float)rank, west_value = -1, east_value = -1;
  MPI_Status status;
  MPI_Sendrecv(&mine, 1, MPI_FLOAT, east, tag, &west_value, 1, MPI_FLOAT, west, tag, MPI_COMM_WORLD,
               &status);
  MPI_Get_count(&status, MPI_FLOAT, &count);
  EXPECT(west_value == (float)(rank - 1) && count == (rank > 0));
  EXPECT(status.MPI_SOURCE == west);
  if (west == MPI_PROC_NULL)
    EXPECT(status.MPI_TAG == MPI_ANY_TAG);
  MPI_Sendrecv(&mine, 1, MPI_FLOAT, west, tag, &east_value, 1, MPI_FLOAT, east, tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  EXPECT(east_value == (rank < size - 1 ? (float)(rank + 1) : -1.0f));
  MPI_Send(&mine, 1, MPI_FLOAT, MPI_PROC_NULL, tag, MPI_COMM_WORLD);
  MPI_Recv(&mine, 1, MPI_FLOAT, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &status);
  EXPECT(mine == (float)rank && status.MPI_SOURCE == MPI_PROC_NULL);
}

static void self(int rank) {
  long sent = 1000L + rank, got = 0;
  int zero = 0;
  MPI_Sendrecv(&sent, 1, MPI_LONG, rank, tag, &got, 1, MPI_LONG, rank, tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  EXPECT(got == sent);
  got = 0;
  MPI_Sendrecv(&sent, 1, MPI_LONG, 0, tag, &got, 1, MPI_LONG, 0, tag, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
  EXPECT(got == sent);
  MPI_Sendrecv_replace(&zero, 1, MPI_INT, 0, tag, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  EXPECT(zero == 0);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  ring(rank, size);
  line(rank, size);
  self(rank);
  return expect_finish();
}

// RUN: sh %inputs/same-both-ways.sh %mpispec %t "1 2 4" mpicc -O2 -I %inputs %s
// RUN: %behind clang-22 sh %inputs/same-both-ways.sh %mpispec %t "1 4" mpicc -std=c99 -I %inputs %s
