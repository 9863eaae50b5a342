/* Communicators beside messages of other threads: MPI-4.0, 7.4 and 11.6. While two threads exchange messages on a
 * communicator, with wildcards, a third one duplicates it, splits it and frees the results. Callbacks of attributes and
 * of errors call MPI meanwhile. Plain MPICH 4.0.2 fails an assertion in these calls: docs/Runtime.md, Known limits. */
enum { THREADS = 3, MADE = 40 };

#include "team.h"

#include <sched.h>

static int keyval;
static _Atomic int over, copied, deleted, handled;

/* Messages between the same threads of both ranks, until the communicators have been made. Both ranks must make the
 * same number of rounds. Therefore the lower rank sends whether another round follows. */
static void exchange_until_over(int thread) {
  int more = 1;
  for (int round = 0; more; ++round) {
    int value = -1;
    MPI_Status status;
    if (rank == 0)
      more = !over;
    if (rank == 0) {
      const int out[2] = {round, more};
      MPI_Send(out, 2, MPI_INT, other_rank(), thread, MPI_COMM_WORLD);
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, thread, MPI_COMM_WORLD, &status);
      CHECK(value == round && status.MPI_SOURCE == other_rank());
    } else {
      int in[2] = {-1, -1};
      MPI_Probe(MPI_ANY_SOURCE, thread, MPI_COMM_WORLD, &status);
      MPI_Recv(in, 2, MPI_INT, status.MPI_SOURCE, thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(in[0] == round);
      more = in[1];
      MPI_Send(&in[0], 1, MPI_INT, other_rank(), thread, MPI_COMM_WORLD);
    }
  }
}

/* A message of the callback to its own rank. */
static void call_mpi(void) {
  int in = -1, out = 3;
  MPI_Sendrecv(&out, 1, MPI_INT, 0, 9, &in, 1, MPI_INT, 0, 9, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  CHECK(in == out);
}

static int copy(MPI_Comm comm, int key, void *state, void *value, void *result, int *flag) {
  (void)comm, (void)key, (void)state;
  call_mpi();
  *(void **)result = value;
  *flag = 1;
  ++copied;
  return MPI_SUCCESS;
}

static int delete (MPI_Comm comm, int key, void *value, void *state) {
  (void)comm, (void)key, (void)value, (void)state;
  call_mpi();
  ++deleted;
  return MPI_SUCCESS;
}

static void answer(MPI_Comm *comm, int *error, ...) {
  int class;
  (void)comm;
  MPI_Error_class(*error, &class);
  CHECK(class == MPI_ERR_TRUNCATE);
  call_mpi();
  ++handled;
}

/* The message is on a communicator that is freed before it arrives. */
static void free_beside_message(MPI_Comm made) {
  int in = -1;
  const int out = rank;
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 4, made, &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, other_rank(), 4, made, &requests[1]);
  MPI_Comm_free(&made);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(in == other_rank());
}

static void fail(MPI_Comm made, MPI_Errhandler handler) {
  const int out[2] = {1, 2};
  int in[2];
  MPI_Request request;
  MPI_Comm_set_errhandler(made, handler);
  MPI_Isend(out, 2, MPI_INT, other_rank(), 8, made, &request);
  CHECK(MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, 8, made, MPI_STATUS_IGNORE) != MPI_SUCCESS);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(made, MPI_ERRORS_ARE_FATAL);
}

static void make_communicators(void) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(answer, &handler);
  for (int i = 0; i < MADE; ++i) {
    MPI_Comm made;
    MPI_Request request;
    if (i % 3 == 0)
      MPI_Comm_dup(MPI_COMM_WORLD, &made);
    else if (i % 3 == 1)
      MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &made);
    else
      MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
    if (i % 3 == 2)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    fail(made, handler);
    free_beside_message(made);
  }
  MPI_Errhandler_free(&handler);
}

static void *work(void *argument) {
  const int thread = *(int *)argument;
  if (thread) {
    exchange_until_over(thread);
    return NULL;
  }
  MPI_Comm_create_keyval(copy, delete, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &keyval);
  make_communicators();
  MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
  MPI_Comm_free_keyval(&keyval);
  CHECK(copied == MADE - MADE / 3 && deleted == copied + 1);
  CHECK(handled == MADE);
  over = 1;
  return NULL;
}

int main(void) {
  run_team(work);
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime -lpthread
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: %mpirun -n 2 %t | FileCheck %s
// CHECK: all threads came through
