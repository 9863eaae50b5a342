/* Where ranks share processors, a long message is one piece: both ranks cannot copy at a time. Where
 * each rank has a processor, it has several. The argument names the case. */
#include "check.h"
#include "p2p/rts.h"
#include "p2p/traffic.h"
#include "progress/tuning.h"

#include <mpi.h>
#include <string.h>

enum { BYTES = 1 << 20 };
static unsigned char bytes[BYTES];

static void receive(int64_t piece) {
  MPI_Request request;
  MPI_Recv(NULL, 0, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Irecv(bytes, BYTES, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &request);
  CHECK(mpispec_pulls.first && mpispec_pulls.first->transfer.piece == piece);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < BYTES; ++i)
    CHECK(bytes[i] == i % 251);
}

static void send(void) {
  MPI_Request request;
  for (int i = 0; i < BYTES; ++i)
    bytes[i] = (unsigned char)(i % 251);
  MPI_Isend(bytes, BYTES, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &request);
  MPI_Send(NULL, 0, MPI_CHAR, 1, 2, MPI_COMM_WORLD); /* after the message */
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank;
  CHECK(argc == 2);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 5; ++i)
    if (rank == 0)
      send();
    else
      receive(strcmp(argv[1], "share") ? MPISPEC_MOST_PIECE : BYTES);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// RUN: %mpicc %include -I%S %s -o %t %runtime
// RUN: env MPISPEC_LONG_MESSAGES=shared %mpirun -n 2 taskset -c 0 %t share | FileCheck %s
// RUN: env MPISPEC_LONG_MESSAGES=shared %mpirun -n 2 taskset -c 0,1 %t apart | FileCheck %s
// CHECK: passed
