/* Matching of messages and receives. Messages of one sender on one communicator do not overtake each other, whatever
 * their tags, sizes and modes. Wildcards are in every position among the posted receives and among the unexpected
 * messages. Communicators between the same ranks do not match each other. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { LARGE = 100000, MANY = 60 };
static int rank, size;
static MPI_Comm comms[3]; /* the world, a copy, one in reverse order */

static int length_of(int number) {
  static const int lengths[] = {4, 40, 300, 5000, LARGE};
  return lengths[number * 7 % 5];
}

/* A message is its number, and as long as that number says. */
static void send(int number, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  static char out[MANY][LARGE];
  memcpy(out[number], &number, sizeof number);
  if (number % 3 == 0)
    MPI_Issend(out[number], length_of(number), MPI_BYTE, to, tag, comm, request);
  else
    MPI_Isend(out[number], length_of(number), MPI_BYTE, to, tag, comm, request);
}

static int number_in(const char *bytes, const MPI_Status *status) {
  int number, count;
  memcpy(&number, bytes, sizeof number);
  MPI_Get_count(status, MPI_BYTE, &count);
  CHECK(number >= 0 && number < MANY && count == length_of(number));
  return number;
}

/* --- two ranks: everything is determined -------------------------------------------------------*/

static int tag_of(int number) { return number * 5 % 4; }

/* The messages that a list of receives gets by MPI's rules when messages 0, 1, ... come from one sender. Each message
 * goes to the first receive that is left and fits. */
static void expect(const int tags[], int count, int expected[]) {
  for (int i = 0; i < count; ++i)
    expected[i] = -1;
  for (int number = 0; number < count; ++number) {
    int i = 0;
    while (i < count && (expected[i] >= 0 || (tags[i] != MPI_ANY_TAG && tags[i] != tag_of(number))))
      ++i;
    CHECK(i < count);
    expected[i] = number;
  }
}

/* With `early` receives posted before the first message is sent, the others after all are there. */
static void among(unsigned seed, int early, MPI_Comm comm) {
  enum { COUNT = 24 };
  static char in[COUNT][LARGE];
  int me, tags[COUNT], expected[COUNT];
  MPI_Request requests[COUNT];
  MPI_Comm_rank(comm, &me);
  const int peer = 1 - me;
  /* The messages' tags in another order, wildcards strewn in, and at the end enough of them that
   * nobody is left over. */
  for (int i = 0; i < COUNT; ++i)
    tags[i] = tag_of((int)(seed + (unsigned)i * 5) % COUNT);
  for (int i = 0; i < COUNT; ++i)
    if ((seed * 2654435761u >> i % 16 & 1) || i >= COUNT * 2 / 3)
      tags[i] = MPI_ANY_TAG;
  expect(tags, COUNT, expected);
  if (me == 1) {
    for (int i = 0; i < COUNT; ++i) {
      if (i == early)
        MPI_Barrier(comm);
      if (i == early)
        MPI_Barrier(comm);
      MPI_Irecv(in[i], LARGE, MPI_BYTE, (seed + (unsigned)i) % 3 ? peer : MPI_ANY_SOURCE, tags[i],
                comm, &requests[i]);
    }
    if (early == COUNT)
      MPI_Barrier(comm), MPI_Barrier(comm);
    for (int i = COUNT - 1; i >= 0; --i) {
      MPI_Status status;
      MPI_Wait(&requests[i], &status);
      CHECK(number_in(in[i], &status) == expected[i]);
      CHECK(status.MPI_SOURCE == peer && status.MPI_TAG == tag_of(expected[i]));
    }
  } else {
    MPI_Barrier(comm);
    for (int number = 0; number < COUNT; ++number)
      send(number, peer, tag_of(number), comm, &requests[number]);
    MPI_Barrier(comm);
    MPI_Waitall(COUNT, requests, MPI_STATUSES_IGNORE);
  }
}

/* --- all ranks: each sender's messages in their order ------------------------------------------*/

/* Everyone sends to everyone, itself too, on all communicators with the same tags. */
static void all_to_all(int source_is_wild, int tag_is_wild) {
  enum { EACH = 6 };
  static char in[LARGE];
  static int next[3][64];
  MPI_Request requests[3 * 64 * EACH];
  int count = 0;
  for (int number = 0; number < EACH; ++number)
    for (int c = 0; c < 3; ++c)
      for (int to = 0; to < size; ++to)
        send(number, to, 1, comms[c], &requests[count++]);
  memset(next, 0, sizeof next);
  for (int c = 2; c >= 0; --c)
    for (int i = 0; i < EACH * size; ++i) {
      MPI_Status status;
      MPI_Recv(in, LARGE, MPI_BYTE, source_is_wild ? MPI_ANY_SOURCE : i % size,
               tag_is_wild ? MPI_ANY_TAG : 1, comms[c], &status);
      CHECK(status.MPI_TAG == 1);
      CHECK(number_in(in, &status) == next[c][status.MPI_SOURCE]++);
    }
  for (int c = 0; c < 3; ++c)
    for (int from = 0; from < size; ++from)
      CHECK(next[c][from] == EACH);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD); /* lest a receive from anyone take what the next round sends */
}

/* A receive from any source stands before one from a named source, and the other way round. The first in line gets
 * the only message that fits both. */
static void lines(int wild_first, MPI_Comm comm) {
  int me, in[2] = {-1, -1};
  MPI_Request requests[2];
  MPI_Comm_rank(comm, &me);
  if (me == 0) {
    for (int i = 0; i < 2; ++i)
      MPI_Irecv(&in[i], 1, MPI_INT, i == wild_first ? 1 : MPI_ANY_SOURCE, i ? 2 : MPI_ANY_TAG, comm,
                &requests[i]);
    MPI_Barrier(comm);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(in[0] == 0 && in[1] == 1);
  } else {
    MPI_Barrier(comm);
    for (int i = 0; i < 2 && me == 1; ++i)
      MPI_Send(&i, 1, MPI_INT, 0, 2, comm);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  comms[0] = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[2]);
  for (unsigned seed = 0; seed < 12 && size == 2; ++seed)
    among(seed, (int)seed * 5 % 25, comms[seed % 3]);
  for (int wild = 0; wild < 4; ++wild)
    all_to_all(wild & 1, wild >> 1);
  for (int i = 0; i < 6; ++i)
    lines(i % 2, comms[i / 2]);
  MPI_Comm_free(&comms[2]);
  MPI_Comm_free(&comms[1]);
  MPI_Finalize();
  tell("rank %d of %d did", rank, size);
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 2 %t | FileCheck %s %}
// RUN: env MPISPEC_MODE=lanes MPIR_CVAR_NUM_CLIQUES=2 %mpirun -n 4 %t | FileCheck %s
// CHECK: rank 1 of {{[24]}} did
