/* With MPI_THREAD_MULTIPLE, a thread blocked in a receive parks (progress/parking.h), whichever
 * call waits. It waits without the lock, and naps while another thread of its rank polls the lanes.
 * Its message still comes, whichever thread drains the lane. A thread does not park while a long
 * message needs its polls, nor below MPI_THREAD_MULTIPLE. */
#include "check.h"
#include "progress/oversubscription.h"
#include "progress/parking.h"
#include "progress/tuning.h"

#include <mpi.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKED = 5, LEAST = 5, MOST = 2000, LONG = 4 << 20, PLAYS = 200 };

static MPI_Comm apart;
static int rank, turn;
static _Atomic int over;

static uint64_t parks(void) { return mpispec_parking_counts.parks; }

/* The first of these tags is 2 in thread 2, and so on. */
static void receive_both(int number, int in[2]) {
  MPI_Request requests[2];
  int found = 0, indices[2], index;
  for (int i = 0; i < 2; ++i)
    MPI_Irecv(&in[i], 1, MPI_INT, 1 - rank, 2 * number - 2 + i, apart, &requests[i]);
  if (number == 2)
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; number == 3 && i < 2; ++i)
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  for (int ended = 0; number == 4 && ended < 2; ended += found)
    MPI_Waitsome(2, requests, &found, indices, MPI_STATUSES_IGNORE);
  CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
}

static void *blocked(void *argument) {
  const int number = (int)(intptr_t)argument;
  int in[2] = {-1, -1};
  MPI_Request requests[2];
  if (number == 0) {
    MPI_Recv(in, 2, MPI_INT, 1 - rank, 0, apart, MPI_STATUS_IGNORE);
  } else if (number == 1) {
    MPI_Irecv(in, 2, MPI_INT, 1 - rank, 1, apart, requests);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
  } else {
    receive_both(number, in);
  }
  CHECK(in[0] == turn && in[1] == -turn);
  ++over;
  return NULL;
}

static void send_awaited(void) {
  const int out[2] = {turn, -turn};
  for (int number = 0; number < 2; ++number)
    MPI_Send(out, 2, MPI_INT, 1 - rank, number, apart);
  for (int number = 2; number < BLOCKED; ++number)
    for (int i = 1; i >= 0; --i)
      MPI_Send(&out[i], 1, MPI_INT, 1 - rank, 2 * number - 2 + i, apart);
}

/* Plays until both ranks say so. The system may find that the processor is not shared; this test
 * needs naps all the same. */
static int play(int ends) {
  int in = 0, out = ends;
  for (int i = 0; i < PLAYS; ++i) {
    mpispec_oversubscribed = 1;
    MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 9, &in, 1, MPI_INT, 1 - rank, 9, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  return in && out;
}

/* The main threads play while the others are blocked. Returns whether, on both ranks, enough
 * threads have been woken from naps. */
static int be_blocked_beside_play(void) {
  pthread_t threads[BLOCKED];
  const uint64_t naps = mpispec_parking_counts.naps;
  over = 0;
  for (intptr_t i = 0; i < BLOCKED; ++i)
    pthread_create(&threads[i], NULL, blocked, (void *)i);
  for (int i = 0; !play(mpispec_parking_counts.naps > naps); ++i)
    CHECK(i < MOST);
  send_awaited();
  while (!play(over == BLOCKED))
    ;
  for (int i = 0; i < BLOCKED; ++i)
    pthread_join(threads[i], NULL);
  return play(mpispec_parking_counts.wakes >= LEAST);
}

/* Each kind of wait parks by itself. */
static void be_blocked_alone(void) {
  pthread_t thread;
  ++turn;
  for (intptr_t number = 0; number < BLOCKED; ++number) {
    const int out[2] = {turn, -turn};
    const uint64_t before = parks();
    int first = number < 2 ? (int)number : 2 * (int)number - 2;
    pthread_create(&thread, NULL, blocked, (void *)number);
    while (parks() == before)
      usleep(1000);
    MPI_Barrier(MPI_COMM_WORLD);
    if (number < 2)
      MPI_Send(out, 2, MPI_INT, 1 - rank, first, apart);
    for (int i = 0; number >= 2 && i < 2; ++i)
      MPI_Send(&out[i], 1, MPI_INT, 1 - rank, first + i, apart);
    pthread_join(thread, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/* Whoever releases the lock would look at all of them. */
static void await_any_of_many(void) {
  enum { MANY = MPISPEC_PARKED_REQUESTS + 1 };
  MPI_Request requests[MANY];
  int in[MANY], found = 0;
  const uint64_t before = parks();
  for (int i = 0; i < MANY; ++i)
    MPI_Irecv(&in[i], 1, MPI_INT, 1 - rank, i, apart, &requests[i]);
  usleep(rank * 30000);
  for (int i = 0; i < MANY; ++i)
    MPI_Send(&i, 1, MPI_INT, 1 - rank, i, apart);
  for (int i = 0; i < MANY; ++i) {
    MPI_Waitany(MANY, requests, &found, MPI_STATUS_IGNORE);
    CHECK(in[found] == found);
  }
  CHECK(parks() == before);
}

/* Only the blocked thread of rank 0 is in MPI while rank 1 receives the long message. */
static void send_long_beside_blocked(void) {
  char *bytes = malloc(LONG);
  int go = 1;
  MPI_Request request;
  pthread_t thread;
  memset(bytes, rank + 1, LONG);
  ++turn;
  if (rank == 0) {
    MPI_Isend(bytes, LONG, MPI_BYTE, 1, 8, MPI_COMM_WORLD, &request);
    const uint64_t before = parks();
    pthread_create(&thread, NULL, blocked, NULL);
    usleep(30000);
    CHECK(parks() == before);
    MPI_Send(&go, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    pthread_join(thread, NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    const int out[2] = {turn, -turn};
    MPI_Recv(&go, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(bytes, LONG, MPI_BYTE, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(bytes[0] == 1 && bytes[LONG - 1] == 1);
    MPI_Send(out, 2, MPI_INT, 0, 0, apart);
  }
  free(bytes);
}

int main(int argc, char **argv) {
  const int level = strcmp(argv[1], "multiple") ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE;
  int provided;
  MPI_Init_thread(&argc, &argv, level, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &apart);
  if (level == MPI_THREAD_MULTIPLE) {
    for (turn = 1; !be_blocked_beside_play(); ++turn)
      CHECK(turn < MOST);
    CHECK(parks() > 0);
    be_blocked_alone();
    await_any_of_many();
    send_long_beside_blocked();
  } else {
    int in = -1;
    usleep(rank * 30000);
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 9, &in, 1, MPI_INT, 1 - rank, 9, apart,
                 MPI_STATUS_IGNORE);
    CHECK(in == 1 - rank && parks() == 0);
  }
  MPI_Comm_free(&apart);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// LABEL: core
// RUN: %mpicc -w %include -I%S %s -o %t %runtime -lpthread
// RUN: %mpirun -n 2 %t multiple | FileCheck %s
// RUN: %mpirun -n 2 %t serialized | FileCheck %s
// CHECK: passed
