/* A program of two ranks for runtime-of-another-version.test. */
#include "expect.h"

int main(int argc, char **argv) {
  int rank, in[8] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 300; ++round) {
    MPI_Status status;
    MPI_Request request;
    if (rank == 0) {
      MPI_Send(&round, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
      MPI_Isend(&round, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      MPI_Ssend(&round, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
    } else if (rank == 1) {
      MPI_Recv(in, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
      EXPECT(in[0] == round && status.MPI_TAG == 7);
      MPI_Irecv(in + 1, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, &request);
      MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
      EXPECT(in[1] == round);
      MPI_Recv(in, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 3, in, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    EXPECT(in[0] == 1 - rank);
  }
  return expect_finish();
}
