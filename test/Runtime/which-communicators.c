/* Which communicators are adopted, and that all others go on through MPI: attributes are not
 * copied, handles are used again, intercommunicators, spawned processes. */
#include "check.h"

#include <mpi.h>
#include <string.h>

static int rank, size;

/* A ring on any intracommunicator. */
static void ring(MPI_Comm comm) {
  int me, all, in = -1;
  MPI_Status status;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &all);
  MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % all, 3, &in, 1, MPI_INT, MPI_ANY_SOURCE, 3, comm,
               &status);
  CHECK(in == (me + all - 1) % all && status.MPI_SOURCE == in);
}

static void many_generations(void) {
  MPI_Comm comm;
  for (int i = 0; i < 200; ++i) {
    if (i % 3 == 0)
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    else
      MPI_Comm_split(MPI_COMM_WORLD, i % 2 ? rank % 2 : 0, i % 3 == 1 ? rank : -rank, &comm);
    ring(comm);
    MPI_Comm_free(&comm);
    CHECK(comm == MPI_COMM_NULL);
  }
}

static void not_adopted(void) {
  MPI_Comm comm, between;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
  MPI_Intercomm_create(comm, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &between);
  int me, others, in = -1;
  MPI_Comm_rank(between, &me);
  MPI_Comm_remote_size(between, &others);
  if (me < others) {
    MPI_Sendrecv(&rank, 1, MPI_INT, me, 1, &in, 1, MPI_INT, me, 1, between, MPI_STATUS_IGNORE);
    CHECK(in == (rank ^ 1));
  }
  MPI_Comm merged;
  MPI_Intercomm_merge(between, rank % 2, &merged);
  ring(merged);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&between);
  MPI_Comm_free(&comm);
}

/* Processes that are spawned have a world of their own, and an intercommunicator to ours. */
static void spawning(char *program) {
  MPI_Comm children;
  char *arguments[] = {"child", NULL};
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                     MPI_ERRCODES_IGNORE))
    return; /* not every installation can */
  int word = 42;
  if (rank == 0) {
    MPI_Send(&word, 1, MPI_INT, 1, 0, children);
    MPI_Recv(&word, 1, MPI_INT, 1, 0, children, MPI_STATUS_IGNORE);
    CHECK(word == 43);
  }
  MPI_Comm_disconnect(&children);
}

static void be_a_child(MPI_Comm parents) {
  int word;
  ring(MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Recv(&word, 1, MPI_INT, 0, 0, parents, MPI_STATUS_IGNORE);
    ++word;
    MPI_Send(&word, 1, MPI_INT, 0, 0, parents);
  }
  MPI_Comm_disconnect(&parents);
}

/* Freed while a receive is under way: the receive ends all the same. */
static void freed_in_flight(void) {
  MPI_Comm comm;
  MPI_Request request;
  int in = -1;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 0, comm);
  MPI_Comm_free(&comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(in == (rank + size - 1) % size);
}

int main(int argc, char **argv) {
  MPI_Comm parents;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_get_parent(&parents);
  if (parents != MPI_COMM_NULL) {
    be_a_child(parents);
  } else {
    ring(MPI_COMM_WORLD);
    ring(MPI_COMM_SELF);
    many_generations();
    not_adopted();
    freed_in_flight();
    spawning(argv[0]);
    if (rank == 0)
      puts("all communicators did");
  }
  MPI_Finalize();
  return 0;
}

// Intel MPI starts no processes unless it is asked to.
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env I_MPI_SPAWN=on MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env I_MPI_SPAWN=on MPISPEC_MODE=lanes %mpirun -n 4 %t | FileCheck %s
// RUN: %if nodes %{ env I_MPI_SPAWN=on MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 4 %t | FileCheck %s %}
// CHECK: all communicators did
