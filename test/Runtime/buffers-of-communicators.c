/* MPI_Bsend with a buffer that only a communicator has, or that the library makes (MPI-4.1): with lanes
 * as without, a message comes to its receive. */
#include "check.h"

#include <mpi.h>

static int rank;
static char bytes[100000], room[200000];

/* Messages for cells, a block and longer, and each is there when the buffer has been flushed. */
static void exchange(MPI_Comm comm) {
  static const int lengths[] = {4, 3000, 60000};
  const int other = 1 - rank;
  for (int i = 0; i < 3; ++i) {
    bytes[lengths[i] - 1] = (char)(i + 1);
    MPI_Bsend(bytes, lengths[i], MPI_CHAR, other, i, comm);
  }
  for (int i = 0; i < 3; ++i) {
    static char in[100000];
    MPI_Recv(in, lengths[i], MPI_CHAR, other, i, comm, MPI_STATUS_IGNORE);
    CHECK(in[lengths[i] - 1] == i + 1);
  }
}

int main(int argc, char **argv) {
  MPI_Comm comm;
  void *address;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0);
  exchange(MPI_COMM_WORLD);
  MPI_Buffer_flush();
  MPI_Buffer_detach(&address, &size);
  MPI_Comm_attach_buffer(comm, room, sizeof room);
  exchange(comm);
  MPI_Comm_flush_buffer(comm);
  exchange(comm);
  MPI_Comm_detach_buffer(comm, &address, &size);
  CHECK(address == room && size == sizeof room);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return passed();
}

// REQUIRES: mpi4.1
//
// RUN: %mpicc -w %s -I%S -o %t %runtime
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=full %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
