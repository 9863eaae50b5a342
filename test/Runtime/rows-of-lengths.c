/* Rows of posted receives, ended by Waitall, and one by one in any order. Their messages take one cell, several, a
 * block that is filled before it is shown, or one that is filled in steps. Most take the fast path of a row. Others
 * must not. These receives have too much or too little room, or are from the own rank. Or they are behind a message of
 * another tag or a receive from any source. A block that its receiver keeps is no room for the next message of its
 * sender. */
#include "check.h"

#include <mpi.h>
#include <string.h>

enum { MOST = 20000, ROW = 12 };
static const int lengths[ROW] = {8, 0, 40, 49, 256, 257, 800, 8, 4096, 4097, 16384, MOST};
static unsigned char out[ROW][MOST], in[ROW][MOST + 8], expected[MOST];
static MPI_Request requests[ROW];
static MPI_Status statuses[ROW];
static int rank;

static void draw(unsigned char *bytes, int length, int seed) {
  for (int i = 0; i < length; ++i)
    bytes[i] = (unsigned char)(i * 7 + i / 251 + 31 * seed);
}

static MPI_Request sends[ROW];

static void start_row(int peer, int blocking, int seed) {
  for (int i = 0; i < ROW; ++i) {
    draw(out[i], lengths[i], seed + i);
    if (blocking)
      MPI_Send(out[i], lengths[i], MPI_BYTE, peer, i, MPI_COMM_WORLD);
    else
      MPI_Isend(out[i], lengths[i], MPI_BYTE, peer, i, MPI_COMM_WORLD, &sends[i]);
  }
}

static void send_row(int peer, int blocking, int seed) {
  start_row(peer, blocking, seed);
  if (!blocking)
    MPI_Waitall(ROW, sends, MPI_STATUSES_IGNORE);
}

static void post_row(int peer, int more) {
  for (int i = 0; i < ROW; ++i) {
    memset(in[i], 0xee, sizeof in[i]);
    MPI_Irecv(in[i], lengths[i] + more, MPI_BYTE, peer, i, MPI_COMM_WORLD, &requests[i]);
  }
}

static void check_one(int i, int peer, int seed, const MPI_Status *status) {
  int bytes = -1;
  MPI_Get_count(status, MPI_BYTE, &bytes);
  CHECK(bytes == lengths[i] && status->MPI_SOURCE == peer && status->MPI_TAG == i);
  draw(expected, lengths[i], seed + i);
  CHECK(!memcmp(in[i], expected, (size_t)lengths[i]) && in[i][lengths[i]] == 0xee);
  CHECK(requests[i] == MPI_REQUEST_NULL);
}

enum ending { WAITALL, WAITS, WAITS_BACK, TESTS, ENDINGS };

static void end_row(int peer, enum ending ending, int seed) {
  if (ending == WAITALL)
    CHECK(!MPI_Waitall(ROW, requests, statuses));
  for (int k = 0; k < ROW && ending != WAITALL; ++k) {
    const int i = ending == WAITS_BACK ? ROW - 1 - k : k;
    int flag = ending != TESTS;
    if (flag)
      CHECK(!MPI_Wait(&requests[i], &statuses[i]));
    while (!flag)
      MPI_Test(&requests[i], &flag, &statuses[i]);
  }
  for (int i = 0; i < ROW; ++i)
    check_one(i, peer, seed, &statuses[i]);
}

/* `early`: the receives are posted before their messages are sent. */
static void row(enum ending ending, int more, int blocking, int early) {
  const int seed = ending + 4 * more + blocking + early;
  if (rank == 1 && early)
    post_row(0, more);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    send_row(1, blocking, seed);
  if (rank == 1 && !early)
    post_row(0, more);
  if (rank == 1)
    end_row(0, ending, seed);
}

static int class_of(int error) {
  int class;
  MPI_Error_class(error, &class);
  return class;
}

/* One in the middle has too little room: it alone has an error, and the rest all they should. */
static void too_little_room(int which) {
  if (rank == 0) {
    send_row(1, 1, 5);
    return;
  }
  for (int i = 0; i < ROW; ++i) {
    memset(in[i], 0xee, sizeof in[i]);
    MPI_Irecv(in[i], lengths[i] - (i == which), MPI_BYTE, 0, i, MPI_COMM_WORLD, &requests[i]);
  }
  CHECK(class_of(MPI_Waitall(ROW, requests, statuses)) == MPI_ERR_IN_STATUS);
  for (int i = 0; i < ROW; ++i) {
    const int class = class_of(statuses[i].MPI_ERROR);
    CHECK(i == which ? class == MPI_ERR_TRUNCATE
                     : class == MPI_SUCCESS || class == MPI_ERR_PENDING);
    if (class == MPI_ERR_PENDING)
      CHECK(!MPI_Wait(&requests[i], &statuses[i]));
    if (i != which)
      check_one(i, 0, 5, &statuses[i]);
  }
}

/* Received from the last to the first: the others are kept meanwhile, blocks and all. */
static void other_tags_first(void) {
  if (rank == 0) {
    send_row(1, 0, 6);
    return;
  }
  for (int i = ROW; i-- > 0;) {
    memset(in[i], 0xee, sizeof in[i]);
    CHECK(!MPI_Recv(in[i], lengths[i], MPI_BYTE, 0, i, MPI_COMM_WORLD, &statuses[i]));
    requests[i] = MPI_REQUEST_NULL;
    check_one(i, 0, 6, &statuses[i]);
  }
}

/* Two of each length, of which a receive from anyone has the first. */
static void behind_anyone(void) {
  for (int i = 0; i < ROW; ++i) {
    MPI_Request any;
    MPI_Status status;
    if (rank == 0) {
      draw(out[0], lengths[i], i);
      draw(out[1], lengths[i], i + 1);
      MPI_Send(out[0], lengths[i], MPI_BYTE, 1, i, MPI_COMM_WORLD);
      MPI_Send(out[1], lengths[i], MPI_BYTE, 1, i, MPI_COMM_WORLD);
      continue;
    }
    MPI_Irecv(in[0], lengths[i], MPI_BYTE, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &any);
    MPI_Irecv(in[1], lengths[i], MPI_BYTE, 0, i, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[1], &status);
    MPI_Wait(&any, &status);
    for (int k = 0; k < 2; ++k) {
      draw(expected, lengths[i], i + k);
      CHECK(!memcmp(in[k], expected, (size_t)lengths[i]));
    }
  }
}

static void to_oneself(int early) {
  if (early)
    post_row(rank, 0);
  start_row(rank, 0, 7);
  if (!early)
    post_row(rank, 0);
  end_row(rank, WAITALL, 7);
  MPI_Waitall(ROW, sends, MPI_STATUSES_IGNORE);
}

/* More blocks under way than are given back at once: none is lent again that is still read. */
static void lent_again(void) {
  for (int round = 0; round < 200; ++round) {
    const int length = 300 + round % 7 * 100;
    if (rank == 0) {
      draw(out[0], length, round);
      MPI_Send(out[0], length, MPI_BYTE, 1, round % 3, MPI_COMM_WORLD);
    } else if (round % 3 == 2) { /* the last of three first */
      for (int k = 2; k >= 0; --k) {
        const int sent = 300 + (round - 2 + k) % 7 * 100;
        MPI_Recv(in[k], sent, MPI_BYTE, 0, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        draw(expected, sent, round - 2 + k);
        CHECK(!memcmp(in[k], expected, (size_t)sent));
      }
    }
  }
  if (rank == 1)
    for (int k = 0; k < 200 % 3; ++k)
      MPI_Recv(in[k], MOST, MPI_BYTE, 0, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int ending = 0; ending < ENDINGS; ++ending)
    for (int more = 0; more < 2; ++more)
      for (int how = 0; how < 4; ++how)
        row((enum ending)ending, more, how & 1, how >> 1);
  for (int which = 2; which < ROW; ++which)
    too_little_room(which);
  other_tags_first();
  behind_anyone();
  to_oneself(0);
  to_oneself(1);
  lent_again();
  MPI_Finalize();
  return passed();
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime
// RUN: env MPISPEC_MODE=off %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPISPEC_MODE=lanes MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t | FileCheck %s %}
// CHECK-COUNT-2: passed
