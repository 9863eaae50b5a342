/* Messages on several communicators at once, and the test whether a communicator is the runtime's. */
#ifndef MPISPEC_TEST_ADOPTED_RINGS_H
#define MPISPEC_TEST_ADOPTED_RINGS_H

#include "adopted.h"
#include "check.h"

/* Nothing is ours if the runtime is switched off. */
static int rank, size, lanes;
#define ADOPTED(COMM) CHECK(is_adopted(COMM) == lanes)

static inline void begin(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  lanes = is_adopted(MPI_COMM_WORLD);
}

static inline int end(void) {
  if (rank == 0)
    printf("all communicators did, %s\n", lanes ? "with lanes" : "without");
  MPI_Finalize();
  return 0;
}

/* A ring on each of several communicators at once, the receives posted in another order than the
 * sends; null ones are left out. */
static inline void rings(int count, MPI_Comm comms[]) {
  enum { MOST = 64 };
  MPI_Request requests[MOST];
  int in[MOST], out[MOST], expected[MOST];
  for (int i = count - 1; i >= 0; --i) {
    int me, all;
    requests[i] = MPI_REQUEST_NULL;
    if (comms[i] == MPI_COMM_NULL)
      continue;
    MPI_Comm_rank(comms[i], &me);
    MPI_Comm_size(comms[i], &all);
    expected[i] = i * 1000 + (me + all - 1) % all;
    MPI_Irecv(&in[i], 1, MPI_INT, i % 2 ? MPI_ANY_SOURCE : (me + all - 1) % all, MPI_ANY_TAG,
              comms[i], &requests[i]);
  }
  for (int i = 0; i < count; ++i) {
    int me, all;
    if (comms[i] == MPI_COMM_NULL)
      continue;
    MPI_Comm_rank(comms[i], &me);
    MPI_Comm_size(comms[i], &all);
    out[i] = i * 1000 + me;
    MPI_Send(&out[i], 1, MPI_INT, (me + 1) % all, 7, comms[i]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < count; ++i)
    CHECK(comms[i] == MPI_COMM_NULL || in[i] == expected[i]);
}

static inline void free_all(int count, MPI_Comm comms[]) {
  for (int i = 0; i < count; ++i)
    if (comms[i] != MPI_COMM_NULL)
      MPI_Comm_free(&comms[i]);
}

#endif
