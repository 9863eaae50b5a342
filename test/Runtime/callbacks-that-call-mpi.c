/* Callbacks of the program that call MPI while the library has called them out of a blocking function. They are an
 * attribute's copy and delete functions, an error handler, and a generalised request's functions. Receives are under
 * way during the test, so that the helper is at work.
 *
 * MPICH 4.0.2 holds its own lock while it calls the last two, if it lets several threads in. It does so where there
 * are several nodes. There only attributes may call MPI. */
#include "check.h"

#include "mpispec/state.h"

#include <mpi.h>
#include <string.h>

static int rank, size, called, ended;
static MPI_Comm busy; /* a duplicate of MPI_COMM_WORLD */

/* Calls that a callback may make: messages to oneself and new communicators, */
static void call_alone(void) {
  int out = 100 + rank, in = -1;
  MPI_Comm copy;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request);
  MPI_Send(&out, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
  MPI_Barrier(MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(in == out);
  MPI_Comm_dup(MPI_COMM_SELF, &copy);
  MPI_Barrier(copy);
  MPI_Comm_free(&copy);
}

/* and, if all ranks are called back equally often, messages to a neighbour and collectives. */
static void call_mpi(void) {
  int out = 100 + rank, in = -1;
  char big[3000], copied[3000];
  memset(big, rank + 1, sizeof big);
  call_alone();
  MPI_Sendrecv(big, 3000, MPI_BYTE, (rank + 1) % size, 6, copied, 3000, MPI_BYTE,
               (rank + size - 1) % size, 6, busy, MPI_STATUS_IGNORE);
  CHECK(copied[2999] == (rank + size - 1) % size + 1);
  MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_MAX, busy);
  CHECK(in == 99 + size);
  ++called;
}

static int copied(MPI_Comm comm, int key, void *extra, void *value, void *copy, int *flag) {
  (void)comm, (void)key, (void)extra;
  *(void **)copy = value;
  *flag = 1;
  CHECK(!mpispec_state.fast_size); /* templates rest */
  call_mpi();
  return MPI_SUCCESS;
}
static int deleted(MPI_Comm comm, int key, void *value, void *extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  call_mpi();
  return MPI_SUCCESS;
}

static void failed(MPI_Comm *comm, int *error, ...) {
  (void)comm, (void)error;
  call_mpi();
}

/* How often it is called is not for MPI to say. */
static int query(void *extra, MPI_Status *status) {
  (void)extra;
  call_alone();
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
static int freed(void *extra) {
  (void)extra;
  call_mpi();
  ++ended;
  return MPI_SUCCESS;
}
static int cancelled(void *extra, int complete) {
  (void)extra, (void)complete;
  return MPI_SUCCESS;
}

static void attributes(void) {
  int key;
  MPI_Comm one, other;
  MPI_Comm_create_keyval(copied, deleted, &key, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  MPI_Comm_set_attr(one, key, &key);
  called = 0;
  MPI_Comm_dup(one, &other);
  CHECK(called == 1);
  MPI_Comm_free(&other);
  CHECK(called == 2);
  MPI_Comm_disconnect(&one);
  CHECK(called == 3);
  MPI_Comm_free_keyval(&key);
}

static void error_handler(void) {
  MPI_Errhandler handler;
  MPI_Comm comm;
  int buffer[2] = {0};
  MPI_Comm_create_errhandler(failed, &handler);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, handler);
  called = 0;
  MPI_Bcast(buffer, -1, MPI_INT, 0, comm); /* returns MPI_SUCCESS over MPICH 5, for the handler has heard of it */
  CHECK(called == 1);
  MPI_Send(buffer, 1, MPI_INT, size, 0, comm);
  CHECK(called == 2);
  if (strcmp(getenv("MPISPEC_MODE"), "off")) { /* Intel MPI alone notices no such error of a message to oneself */
    MPI_Sendrecv(buffer, 2, MPI_INT, rank, 1, buffer + 1, 0, MPI_INT, rank, 1, comm,
                 MPI_STATUS_IGNORE);
    CHECK(called == 3);
  }
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
}

static void generalised_requests(void) {
  MPI_Request requests[3];
  int flag, index;
  ended = 0;
  MPI_Grequest_start(query, freed, cancelled, NULL, &requests[0]);
  MPI_Grequest_complete(requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  CHECK(ended == 1);
  for (int way = 0; way < 4; ++way) {
    int in = -1;
    ended = 0;
    MPI_Grequest_start(query, freed, cancelled, NULL, &requests[1]);
    MPI_Irecv(&in, 1, MPI_INT, rank, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Grequest_start(query, freed, cancelled, NULL, &requests[2]);
    MPI_Grequest_complete(requests[1]);
    MPI_Grequest_complete(requests[2]);
    MPI_Send(&way, 1, MPI_INT, rank, 8, MPI_COMM_WORLD);
    if (way == 0)
      MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    else if (way == 1)
      for (int i = 0; i < 3; ++i)
        MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
    else if (way == 2)
      do
        MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
      while (!flag);
    else
      for (int done = 0, indices[3]; done < 3; done += index)
        MPI_Waitsome(3, requests, &index, indices, MPI_STATUSES_IGNORE);
    CHECK(in == way && ended == 2);
  }
}

/* After these callbacks, does the helper still go on for a rank that is away? */
static void receive_while_away(void) {
  MPI_Request request;
  MPI_Win window;
  int in = -1, memory;
  MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 9, MPI_COMM_WORLD, &request);
  if (rank == 0)
    MPI_Ssend(&rank, 1, MPI_INT, (rank + 1) % size, 9, MPI_COMM_WORLD);
  MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  if (rank != 0)
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 9, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(in == (rank + size - 1) % size);
  MPI_Win_free(&window);
}

int main(int argc, char **argv) {
  MPI_Request pending[2];
  int in[2] = {-1, -1};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &busy);
  for (int i = 0; i < 2; ++i)
    MPI_Irecv(&in[i], 1, MPI_INT, i ? MPI_ANY_SOURCE : (rank + 1) % size, 7, MPI_COMM_WORLD,
              &pending[i]);
  for (int round = 0; round < 2; ++round) {
    attributes();
    if (argc == 1) {
      error_handler();
      generalised_requests();
    }
    receive_while_away();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 2; ++i)
    MPI_Ssend(&rank, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD);
  MPI_Waitall(2, pending, MPI_STATUSES_IGNORE);
  CHECK(in[0] == (rank + 1) % size && in[1] == in[0]);
  MPI_Comm_free(&busy);
  if (rank == 0)
    puts("all callbacks came back");
  MPI_Finalize();
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// DEFINE: %{lanes} = env MPISPEC_MODE=lanes
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t | FileCheck %s
// Open MPI makes no window for a rank alone.
// RUN: %if !openmpi %{ %{lanes} %mpirun -n 1 %t | FileCheck %s %}
// RUN: %{lanes} %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=full %mpirun -n 2 %t | FileCheck %s
// RUN: %if nodes %{ %{lanes} MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t attributes | FileCheck %s %}
// CHECK: all callbacks came back
