/* Templates make no progress themselves. Yet other messages must go on in a program whose messages always come at
 * once, so that each receive is inline. Here this other message is the MPI library's, on a communicator that is not
 * the runtime's. It comes only if both ranks make the library's progress. */
#include "ordinary.h"

enum { LARGE = 1 << 16, MANY = 50000 };

/* Looks after the message with one test each round; returns the rounds it took. */
static int with_tests(MPI_Request *request) {
  int rounds = 0, done = 0, over;
  do {
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    over = done || ++rounds == MANY;
    MPI_Send(&over, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Recv(&over, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } while (!over);
  EXPECT(done);
  return rounds;
}

/* Only answers. */
static void without_tests(void) {
  int over;
  do {
    MPI_Recv(&over, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&over, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } while (!over);
}

int main(int argc, char **argv) {
  static char large[LARGE];
  int rank;
  MPI_Comm unknown;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_dup(MPI_COMM_WORLD, &unknown);
  for (int round = 0; round < 5; ++round) {
    if (rank == 0) {
      BEHIND(Irecv)(large, LARGE, MPI_BYTE, 1, 3, unknown, &request);
      MPI_Barrier(MPI_COMM_WORLD);
      without_tests();
    } else {
      MPI_Barrier(MPI_COMM_WORLD);
      BEHIND(Issend)(large, LARGE, MPI_BYTE, 0, 3, unknown, &request);
      with_tests(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&unknown);
  return expect_finish();
}

// RUN: %specialise %t mpicc -std=c11 -O2 %s && %everywhere 2 %t
