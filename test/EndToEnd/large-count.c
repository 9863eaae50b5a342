/* The forms whose counts are MPI_Count. */
#include "expect.h"

int main(int argc, char **argv) {
  int rank, size, left, right;
  double block[256], all[4 * 256];
  MPI_Count n = 256, got = 0;
  MPI_Request requests[2];
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  for (int i = 0; i < 256; i++)
    block[i] = rank + 0.25 * i;

  MPI_Irecv_c(all, n, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend_c(block, n, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  EXPECT(all[255] == left + 63.75);

  MPI_Sendrecv_c(block, (MPI_Count)2, MPI_DOUBLE, right, 2, all, n, MPI_DOUBLE, left, 2,
                 MPI_COMM_WORLD, &status);
  MPI_Get_count_c(&status, MPI_DOUBLE, &got);
  EXPECT(all[1] == left + 0.25 && got == 2);

  MPI_Isend(block, 3, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_c(all, n, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  EXPECT(all[2] == left + 0.5);

  MPI_Allgather_c(block, n, MPI_DOUBLE, all, n, MPI_DOUBLE, MPI_COMM_WORLD);
  EXPECT(all[256 * (size - 1)] == size - 1);
  MPI_Bcast_c(block, 1, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
  EXPECT(block[0] == size - 1);
  MPI_Allreduce_c(block + 1, all, (MPI_Count)1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(all[0] == 0.25 * size + size * (size - 1) / 2);
  return expect_finish();
}

// REQUIRES: mpi4
// RUN: sh %inputs/same-both-ways.sh %mpispec %t "1 2 4" mpicc -O2 -I %inputs %s
