/* Receives with wildcards, more in one unit than are inlined. Those that share a template receive the same messages
 * as the others, in the order in which they came, and no others. */
#include "ordinary.h"

static int value, expected;
static MPI_Status status;

static void came(int tag) {
  EXPECT(value == expected && status.MPI_SOURCE == 0 && status.MPI_TAG == tag);
  ++expected;
}

#define ANY(TAG)                                                                                   \
  MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);              \
  came(TAG);
#define ANY_SOURCE(TAG)                                                                            \
  MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);                      \
  came(TAG);
#define ANY_TAG(TAG)                                                                               \
  MPI_Recv(&value, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);                           \
  came(TAG);
#define NAMED(TAG)                                                                                 \
  MPI_Recv(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, &status);                                   \
  came(TAG);
#define ALL(TAG) ANY(TAG) ANY_SOURCE(TAG) ANY_TAG(TAG) NAMED(TAG)

enum { MESSAGES = 24 };

static void receive_all(void) {
  expected = 0;
  ALL(3) ALL(3) ALL(3) ALL(3) ALL(3) ALL(3)
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < MESSAGES && rank == 0; ++i)
      MPI_Send(&i, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
      receive_all();
  }
  if (rank == 1)
    EXPECT(is_mixed() || (is_fast() ? ordinary_Recv <= ROUNDS * MESSAGES / 4
                                    : ordinary_Recv == ROUNDS * MESSAGES));
  /* Where the first that waits is another's, or does not fit, the ordinary call decides. */
  if (rank == 0) {
    for (int i = 0; i < 2; ++i)
      MPI_Send(&i, 1, MPI_INT, 1, 4 - i, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
    EXPECT(value == 1 && status.MPI_TAG == 3);
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    EXPECT(value == 0 && status.MPI_TAG == 4);
  }
  MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  EXPECT(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
  return expect_finish();
}

// RUN: for options in -O1 -O2; do \
// RUN:   %specialise %t mpicc -std=c11 $options %s && %everywhere 2 %t || exit 1; \
// RUN: done
// RUN: %behind clang-22 %specialise %t mpicc -std=c11 -O2 %s && %everywhere 2 %t
