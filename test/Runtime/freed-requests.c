/* A program frees the requests of sends and receives. MPI_Finalize and MPI_Comm_disconnect complete them (MPI 4.0, 11.2.2 and
 * 11.10.4). A freed receive without a message keeps nobody. */
#include "check.h"

#include <mpi.h>
#include <string.h>
#include <time.h>

enum { LONGEST = 1000000 };
static const int sizes[] = {8, 5000, 100000, LONGEST};
enum { SIZES = sizeof sizes / sizeof sizes[0] };
static int rank;
static char buffers[SIZES][LONGEST];

static void nap(void) {
  const struct timespec time = {0, 300 * 1000000L};
  nanosleep(&time, NULL);
}

static void fill(int with) {
  for (int i = 0; i < SIZES; ++i)
    memset(buffers[i], with, LONGEST);
}

static void check(int with) {
  for (int i = 0; i < SIZES; ++i)
    CHECK(buffers[i][0] == with && buffers[i][sizes[i] - 1] == with);
}

static void start_and_free(int (*start)(int, MPI_Comm, MPI_Request *), MPI_Comm comm) {
  MPI_Request request;
  for (int i = 0; i < SIZES; ++i) {
    start(i, comm, &request);
    MPI_Request_free(&request);
  }
}

static int start_receive(int i, MPI_Comm comm, MPI_Request *request) {
  return MPI_Irecv(buffers[i], LONGEST, MPI_CHAR, i % 2 ? 0 : MPI_ANY_SOURCE, i, comm, request);
}

static int start_send(int i, MPI_Comm comm, MPI_Request *request) {
  return MPI_Isend(buffers[i], sizes[i], MPI_CHAR, 1, i, comm, request);
}

/* Rank 1 disconnects while the messages have still to come. */
static void disconnect_receives(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  fill(rank == 0 ? 'a' : 'b');
  if (rank == 1)
    start_and_free(start_receive, comm);
  if (rank == 0) {
    nap();
    for (int i = 0; i < SIZES; ++i)
      MPI_Ssend(buffers[i], sizes[i], MPI_CHAR, 1, i, comm);
  }
  MPI_Comm_disconnect(&comm);
  CHECK(comm == MPI_COMM_NULL);
  check(rank > 1 ? 'b' : 'a');
}

/* Rank 0 disconnects, and changes its buffers, while the messages have still to be received. */
static void disconnect_sends(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  fill('c' + rank);
  if (rank == 0)
    start_and_free(start_send, comm);
  if (rank == 1) {
    nap();
    for (int i = SIZES - 1; i >= 0; --i)
      MPI_Recv(buffers[i], LONGEST, MPI_CHAR, 0, i, comm, MPI_STATUS_IGNORE);
    check('c');
  }
  MPI_Comm_disconnect(&comm);
  fill('z');
}

/* The message has come before the receive, and its elements need the library to unpack them. */
static void disconnect_unpacked(void) {
  struct pair {
    short first;
    int second;
  } pairs[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  MPI_Comm comm;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (rank == 0)
    MPI_Send(pairs, 4, MPI_SHORT_INT, 1, 0, comm);
  if (rank == 1)
    memset(pairs, 0, sizeof pairs);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Irecv(pairs, 4, MPI_SHORT_INT, 0, 0, comm, &request);
    MPI_Request_free(&request);
  }
  MPI_Comm_disconnect(&comm);
  CHECK(pairs[0].first == 1 && pairs[3].first == 7 && pairs[3].second == 8);
}

/* Rank 1 is in MPI_Finalize while the messages have still to come. */
static void receive_in_finalize(int synchronous) {
  fill(rank == 0 ? 'd' : 'e');
  if (rank == 1)
    start_and_free(start_receive, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank != 0)
    return;
  nap();
  for (int i = 0; i < SIZES; ++i)
    if (synchronous)
      MPI_Ssend(buffers[i], sizes[i], MPI_CHAR, 1, i, MPI_COMM_WORLD);
    else
      MPI_Send(buffers[i], sizes[i], MPI_CHAR, 1, i, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  disconnect_receives();
  disconnect_sends();
  disconnect_unpacked();
  if (rank == 0)
    tell("complete");
  if (!strcmp(argv[1], "no-message"))
    start_and_free(start_receive, MPI_COMM_WORLD);
  else
    receive_in_finalize(!strcmp(argv[1], "synchronous"));
  MPI_Finalize();
  if (strcmp(argv[1], "no-message"))
    check(rank > 1 ? 'e' : 'd');
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t synchronous | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t standard | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t no-message | FileCheck %s
// CHECK: complete
