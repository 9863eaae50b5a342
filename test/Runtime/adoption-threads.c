/* Several threads make communicators at once, each from one of its own, by all constructors that agree on context ids
 * in different ways. They exchange messages on them, and call collective operations, too. */
enum { THREADS = 3, ROUNDS = 12 };

#include "team.h"

static void ring(MPI_Comm comm, int word) {
  int in = -1, me, all;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &all);
  MPI_Sendrecv(&word, 1, MPI_INT, (me + 1) % all, 3, &in, 1, MPI_INT,
               word % 2 ? MPI_ANY_SOURCE : (me + all - 1) % all, 3, comm, MPI_STATUS_IGNORE);
  CHECK(in == word);
  MPI_Allreduce(&word, &in, 1, MPI_INT, MPI_SUM, comm);
  CHECK(in == all * word);
  if (me != word % all)
    in = -1;
  MPI_Bcast(&in, 1, MPI_INT, word % all, comm);
  CHECK(in == all * word);
  MPI_Barrier(comm);
}

static void *work(void *argument) {
  const int thread = *(int *)argument;
  MPI_Comm parent = parents[thread];
  MPI_Group group;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  for (int i = 0; i < ROUNDS; ++i) {
    MPI_Comm made[4];
    MPI_Request request;
#ifdef OPEN_MPI /* Open MPI 4.1 alone hangs where several overlap */
    MPI_Comm_dup(parent, &made[0]);
    request = MPI_REQUEST_NULL;
#else
    MPI_Comm_idup(parent, &made[0], &request);
#endif
    MPI_Comm_dup(parent, &made[1]);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, thread, &made[2]);
    MPI_Comm_dup(made[1], &made[3]);
    ring(made[1], i);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int k = 0; k < 4; ++k)
      ring(made[k], 1000 * thread + 10 * i + k);
    for (int k = 0; k < 4; ++k)
      MPI_Comm_free(&made[k]);
  }
  MPI_Group_free(&group);
  return NULL;
}

int main(void) {
  run_team(work);
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t | FileCheck %s %}
// CHECK: all threads came through
