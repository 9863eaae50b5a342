/* With MPI_THREAD_MULTIPLE every template hands over: they know no lock. Below that they need none.
 * Two ranks, two threads each. */
#include "ordinary.h"

#include <pthread.h>

static int rank;

static void *talk(void *tag_of_thread) {
  const int tag = *(int *)tag_of_thread;
  for (int round = 0; round < ROUNDS; ++round) {
    int in = -1;
    if (rank == 0) {
      MPI_Send(&round, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    } else {
      MPI_Recv(&in, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (in != round)
        abort();
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  int provided, tags[2] = {1, 2};
  pthread_t other;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  EXPECT(provided == MPI_THREAD_MULTIPLE);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pthread_create(&other, NULL, talk, &tags[1]);
  talk(&tags[0]);
  pthread_join(other, NULL);
  EXPECT((rank == 0 ? ordinary_Send : ordinary_Recv) == 2 * ROUNDS);
  for (int round = 0; round < 4; ++round)
    HANDS_OVER(Barrier, 1, MPI_Barrier(MPI_COMM_WORLD));
  return expect_finish();
}

// RUN: %specialise %t mpicc -std=c11 -O2 %s -pthread && %everywhere 2 %t
