/* Arrays of receives that end in a row, in another order than they were posted, or not yet. There are also null
 * requests, persistent ones at rest, and more receives than the state shows to templates. Messages have several
 * lengths, one of them is too long, and one receive is from any source. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { MANY = 600, LONGEST = 120, ACTIVE = 8 };

static int rank, peer;
static unsigned char out[MANY][LONGEST], in[MANY][LONGEST];
static MPI_Request requests[MANY], shuffled[MANY];
static MPI_Status statuses[MANY];

static int length_of(int i) {
  const int lengths[] = {8, 8, 4, 48, 0, 3, 100, 8, 49};
  return lengths[i % 9];
}

static int tag_of(int i) { return i % 5; }

static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void send_all(int count) {
  for (int i = 0; i < count; ++i) {
    memset(out[i], i, LONGEST);
    MPI_Isend(out[i], length_of(i), MPI_BYTE, peer, tag_of(i), MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void post_all(int count) {
  memset(in, 0xee, sizeof in);
  for (int i = 0; i < count; ++i)
    MPI_Irecv(in[i], length_of(i), MPI_BYTE, peer, tag_of(i), MPI_COMM_WORLD, &requests[i]);
}

/* Where the receive posted as the i-th stands in the array. */
static int place_of(int i, int way, int count) {
  return way == 0 ? i : way == 1 ? count - 1 - i : (i * 7 + 3) % count;
}

static void check_one(int i, const MPI_Status *status) {
  int length;
  CHECK(in[i][length_of(i)] == 0xee);
  CHECK(!length_of(i) || (in[i][0] == (unsigned char)i && in[i][length_of(i) - 1] == in[i][0]));
  if (!status)
    return;
  MPI_Get_count(status, MPI_BYTE, &length);
  CHECK(length == length_of(i) && status->MPI_TAG == tag_of(i) && status->MPI_SOURCE == peer);
}

static void end_all(int way, int kind, int count) {
  int indices[MANY], found, index, flag = 0;
  for (int i = 0; i < count; ++i)
    shuffled[place_of(i, way, count)] = requests[i];
  if (kind == 0) {
    MPI_Waitall(count, shuffled, statuses);
  } else if (kind == 1) {
    while (!flag)
      MPI_Testall(count, shuffled, &flag, statuses);
  } else if (kind == 2) {
    for (int i = 0; i < count; ++i) {
      MPI_Status status;
      MPI_Waitany(count, shuffled, &index, &status);
      CHECK(index >= 0 && index < count && shuffled[index] == MPI_REQUEST_NULL);
      statuses[index] = status;
    }
    MPI_Waitany(count, shuffled, &index, MPI_STATUS_IGNORE);
    CHECK(index == MPI_UNDEFINED);
  } else {
    MPI_Status some[MANY];
    for (int done = 0; done < count; done += found) {
      MPI_Testsome(count, shuffled, &found, indices, some);
      CHECK(found >= 0);
      for (int i = 0; i < found; ++i)
        statuses[indices[i]] = some[i];
    }
    MPI_Testsome(count, shuffled, &found, indices, some);
    CHECK(found == MPI_UNDEFINED);
  }
  for (int i = 0; i < count; ++i) {
    CHECK(shuffled[place_of(i, way, count)] == MPI_REQUEST_NULL);
    check_one(i, &statuses[place_of(i, way, count)]);
  }
}

/* `first`: the messages have come before anything is completed. */
static void in_all_orders(int first) {
  for (int way = 0; way < 3; ++way)
    for (int kind = 0; kind < 4; ++kind) {
      const int count = kind == 0 ? MANY : 100;
      if (rank == 1)
        post_all(count);
      meet();
      if (rank == 0)
        send_all(count);
      if (first)
        meet();
      if (rank == 1)
        end_all(way, kind, count);
      meet();
    }
}

/* None of them is over: with a null one, a persistent one at rest, or one from any source. */
static void nothing_yet(int source) {
  MPI_Request array[ACTIVE], persistent;
  int index = 7, found = 7, flag = 7, indices[ACTIVE];
  MPI_Recv_init(in[0], 8, MPI_BYTE, peer, 9, MPI_COMM_WORLD, &persistent);
  for (int i = 0; i < ACTIVE; ++i)
    MPI_Irecv(in[i], 8, MPI_BYTE, i == 3 ? source : peer, i, MPI_COMM_WORLD, &array[i]);
  MPI_Request mixed[ACTIVE + 2] = {MPI_REQUEST_NULL, persistent};
  memcpy(mixed + 2, array, sizeof array);
  meet();
  for (int round = 0; round < 200; ++round) {
    const int begin = round % 3, count = ACTIVE + 2 - begin;
    MPI_Testany(count, mixed + begin, &index, &flag, statuses);
    CHECK(!flag && index == MPI_UNDEFINED);
    MPI_Testsome(count, mixed + begin, &found, indices, statuses);
    CHECK(found == 0);
    MPI_Testall(count, mixed + begin, &flag, statuses);
    CHECK(!flag);
  }
  MPI_Testsome(2, mixed, &found, indices, statuses);
  MPI_Testany(2, mixed, &index, &flag, statuses);
  CHECK(found == MPI_UNDEFINED && flag && index == MPI_UNDEFINED);
  meet();
  for (int i = ACTIVE - 1; i >= 0; --i)
    MPI_Send(out[i], 8, MPI_BYTE, peer, i, MPI_COMM_WORLD);
  for (int done = 0; done < ACTIVE; ++done) {
    do
      MPI_Testany(ACTIVE + 2, mixed, &index, &flag, statuses);
    while (!flag);
    CHECK(index >= 2 && statuses->MPI_TAG == index - 2 && mixed[index] == MPI_REQUEST_NULL);
  }
  MPI_Request_free(&persistent);
  meet();
}

/* The one in the middle is too long. */
static void too_long(void) {
  if (rank == 0)
    for (int i = 0; i < 3; ++i)
      MPI_Send(out[i], i == 1 ? 9 : 8, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
  for (int i = 0; rank == 1 && i < 3; ++i)
    MPI_Irecv(in[i], 8, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &requests[i]);
  meet();
  if (rank == 1) {
    int class;
    MPI_Error_class(MPI_Waitall(3, requests, statuses), &class);
    CHECK(class == MPI_ERR_IN_STATUS);
    MPI_Error_class(statuses[1].MPI_ERROR, &class);
    CHECK(class == MPI_ERR_TRUNCATE && requests[1] == MPI_REQUEST_NULL);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE); /* those that the library left */
  }
  meet();
}

/* Persistent receives, some started while one from any source waits. */
static void started_again(void) {
  MPI_Request array[ACTIVE], any;
  for (int i = 0; i < ACTIVE; ++i)
    MPI_Recv_init(in[i], 8, MPI_BYTE, peer, i % 2 ? i : MPI_ANY_TAG, MPI_COMM_WORLD, &array[i]);
  for (int round = 0; round < 20; ++round) {
    const int waits = round % 2;
    if (waits)
      MPI_Irecv(in[ACTIVE], 8, MPI_BYTE, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &any);
    MPI_Startall(ACTIVE, array);
    meet();
    for (int i = 0; i < ACTIVE; ++i) {
      memset(out[i], round + i, 8);
      MPI_Send(out[i], 8, MPI_BYTE, peer, i, MPI_COMM_WORLD);
    }
    MPI_Waitall(ACTIVE, array, statuses);
    for (int i = 0; i < ACTIVE; ++i)
      CHECK(statuses[i].MPI_TAG == i && in[i][7] == (unsigned char)(round + i));
    if (waits) {
      MPI_Send(out[0], 8, MPI_BYTE, peer, 77, MPI_COMM_WORLD);
      MPI_Wait(&any, statuses);
      CHECK(statuses->MPI_TAG == 77);
    }
  }
  for (int i = 0; i < ACTIVE; ++i)
    MPI_Request_free(&array[i]);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  peer = 1 - rank;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  in_all_orders(0);
  in_all_orders(1);
  nothing_yet(peer);
  nothing_yet(MPI_ANY_SOURCE);
  too_long();
  started_again();
  MPI_Finalize();
  tell("rank %d did", rank);
  return 0;
}

// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: %both -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %both -n 2 %t | FileCheck %s %}
// CHECK: rank 1 did
