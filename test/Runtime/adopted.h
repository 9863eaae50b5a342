/* Which communicators are ours. */
#ifndef MPISPEC_TEST_ADOPTED_H
#define MPISPEC_TEST_ADOPTED_H

#include <mpi.h>
#include <stdint.h>

/* Handles of requests of ours have their own mark. */
static inline int is_adopted(MPI_Comm comm) {
  int in;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 99, comm, &request);
  const int ours = (uintptr_t)request >> (8 * sizeof request - 8) == 0x1d;
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return ours;
}

#endif
