/* With MPI_THREAD_MULTIPLE, a thread blocked in a probe or in a collective operation parks
 * (progress/parking.h). It finds its message even if another thread drains the lane, and a probe
 * moves earlier messages out of the way. A thread does not park below MPI_THREAD_MULTIPLE. */
#include "check.h"
#include "progress/oversubscription.h"
#include "progress/parking.h"

#include <mpi.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum way { PROBE, PROBE_ANY, MPROBE, BARRIER, ALLREDUCE, BCAST, ROOM, WAYS };
enum { AWAITED = 1, EARLIER = 2, PARKED = 3, PLAY = 4, PLAYS = 100, STEPS = 100 };

static MPI_Comm apart;
static int rank, turn;
static _Atomic int is_over;

static uint64_t parks(void) { return mpispec_parking_counts.parks; }

static void receive_probed(enum way way) {
  int in = -1, earlier = -1;
  MPI_Status status;
  MPI_Message message;
  if (way == MPROBE) {
    MPI_Mprobe(1 - rank, AWAITED, apart, &message, &status);
    MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  } else {
    MPI_Probe(way == PROBE ? 1 - rank : MPI_ANY_SOURCE, AWAITED, apart, &status);
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, AWAITED, apart, MPI_STATUS_IGNORE);
  }
  CHECK(status.MPI_SOURCE == 1 - rank && status.MPI_TAG == AWAITED && in == turn);
  MPI_Recv(&earlier, 1, MPI_INT, 1 - rank, EARLIER, apart, MPI_STATUS_IGNORE);
  CHECK(earlier == -turn);
}

static void send_probed(void) {
  const int earlier = -turn;
  MPI_Send(&earlier, 1, MPI_INT, 1 - rank, EARLIER, apart);
  MPI_Send(&turn, 1, MPI_INT, 1 - rank, AWAITED, apart);
}

/* In the last way, the root is many steps ahead and waits for room. */
static void take_part(enum way way) {
  int in = rank + turn, out = 0;
  if (way == BARRIER)
    MPI_Barrier(apart);
  if (way == ALLREDUCE) {
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, apart);
    CHECK(out == 2 * turn + 1);
  }
  for (int step = 0; step < (way == BCAST ? 1 : way == ROOM ? STEPS : 0); ++step) {
    const int root = way == ROOM;
    out = rank == root ? turn + step : -1;
    MPI_Bcast(&out, 1, MPI_INT, root, apart);
    CHECK(out == turn + step);
  }
}

static void *blocked(void *way) {
  if ((enum way)(intptr_t)way <= MPROBE)
    receive_probed((enum way)(intptr_t)way);
  else
    take_part((enum way)(intptr_t)way);
  is_over = 1;
  return NULL;
}

/* A thread of rank 1 parks. Only then does rank 0 end its wait. */
static void be_blocked_alone(enum way way) {
  const uint64_t before = parks();
  pthread_t thread;
  int parked = 0;
  if (rank == 1) {
    pthread_create(&thread, NULL, blocked, (void *)(intptr_t)way);
    while (parks() == before)
      usleep(1000);
    MPI_Send(&parked, 1, MPI_INT, 0, PARKED, MPI_COMM_WORLD);
    pthread_join(thread, NULL);
  } else {
    MPI_Recv(&parked, 1, MPI_INT, 1, PARKED, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (way <= MPROBE)
      send_probed();
    else
      take_part(way);
  }
}

/* Returns whether both ranks pass a value other than 0. The system may find that the processor is
 * not shared; this test needs naps all the same. */
static int play(int own) {
  int in = 0;
  for (int i = 0; i < PLAYS; ++i) {
    mpispec_oversubscribed = 1;
    MPI_Sendrecv(&own, 1, MPI_INT, 1 - rank, PLAY, &in, 1, MPI_INT, 1 - rank, PLAY, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  return in && own;
}

/* The main threads exchange messages in the lane in which the awaited message arrives. */
static void be_blocked_beside_play(enum way way) {
  pthread_t thread;
  const uint64_t before = parks();
  is_over = 0;
  if (rank == 1)
    pthread_create(&thread, NULL, blocked, (void *)(intptr_t)way);
  while (!play(rank == 0 || parks() > before))
    ;
  if (rank == 0) {
    if (way <= MPROBE)
      send_probed();
    else
      pthread_create(&thread, NULL, blocked, (void *)(intptr_t)way);
  }
  while (!play(is_over || (rank == 0 && way <= MPROBE)))
    ;
  if (rank == 1 || way > MPROBE)
    pthread_join(thread, NULL);
}

static void take_turns(void (*block)(enum way)) {
  for (enum way way = PROBE; way < WAYS; ++way) {
    ++turn;
    block(way);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static void be_late(enum way way) {
  usleep(rank == 0 ? 30000 : 0);
  if (way > MPROBE)
    take_part(way);
  else if (rank == 1)
    receive_probed(way);
  else
    send_probed();
}

int main(int argc, char **argv) {
  const int level = strcmp(argv[1], "multiple") ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE;
  int provided;
  MPI_Init_thread(&argc, &argv, level, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &apart);
  take_turns(take_part);
  if (level == MPI_THREAD_MULTIPLE) {
    take_turns(be_blocked_alone);
    take_turns(be_blocked_beside_play);
  } else {
    take_turns(be_late);
    CHECK(parks() == 0);
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
