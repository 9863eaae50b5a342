/* A program tests two arrays in turn. The first one has a receive, and a nonblocking collective write whose progress
 * needs tests of its own in some libraries. The peer sends the message when its part of the write is over. */
#include "check.h"

#include <mpi.h>

enum { BYTES = 1 << 20, ROUNDS = 4 };
static char bytes[BYTES];

static void receive_and_write(MPI_File file, int shift) {
  MPI_Request first[2], second[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int in[2] = {0, 0}, first_is_over = 0, second_is_over = 0;
  MPI_Irecv(&in[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &first[0]);
  MPI_File_iwrite_all(file, bytes, BYTES, MPI_BYTE, &first[1]);
  MPI_Irecv(&in[1], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &second[0]);
  if (shift) /* the tests of either array are those with an even number */
    MPI_Testall(2, first, &first_is_over, MPI_STATUSES_IGNORE);
  do {
    MPI_Testall(2, first, &first_is_over, MPI_STATUSES_IGNORE);
    MPI_Testall(2, second, &second_is_over, MPI_STATUSES_IGNORE);
  } while (!first_is_over || !second_is_over);
  CHECK(in[0] == 5 && in[1] == 5);
}

static void write_and_send(MPI_File file) {
  const int out = 5;
  MPI_Request request;
  MPI_File_iwrite_all(file, bytes, BYTES, MPI_BYTE, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Send(&out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  MPI_Send(&out, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  for (int round = 0; round < ROUNDS; ++round) {
    if (rank == 0)
      receive_and_write(file, round % 2);
    else
      write_and_send(file);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_File_close(&file);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t %t.file | FileCheck %s
// CHECK: passed
