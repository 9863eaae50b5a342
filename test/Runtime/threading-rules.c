/* MPI's rules for programs of several threads, a function for each: MPI-4.0, 11.6, and the sections
 * on probes, cancellation and error handlers. The peer's threads send from the other
 * rank, or from this one. */
enum { THREADS = 3, ROUNDS = 200, BESIDE = 7 };

#include "team.h"

#include <sched.h>

static _Thread_local int peer;
static _Atomic int handled;

/* The level, and the thread that has called MPI_Init_thread. */
static void levels(void) {
  int level, is_main;
  MPI_Query_thread(&level);
  MPI_Is_thread_main(&is_main);
  CHECK(level == MPI_THREAD_MULTIPLE);
  CHECK(!is_main);
}

/* A thread that blocks in a receive keeps no other from its own. */
static void blocked_beside_others(int thread, MPI_Comm comm) {
  int value = -1;
  if (thread == 0) {
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(value == ROUNDS);
    return;
  }
  for (int i = 0; i < ROUNDS; ++i) {
    MPI_Sendrecv(&i, 1, MPI_INT, peer, 2, &value, 1, MPI_INT, peer, 2, comm, MPI_STATUS_IGNORE);
    CHECK(value == i);
  }
  value = ROUNDS;
  if (thread == 1)
    MPI_Send(&value, 1, MPI_INT, peer, 1, MPI_COMM_WORLD);
}

/* All threads take messages of one kind: none is lost, none is taken twice. */
static _Atomic int taken[THREADS * ROUNDS];
static void take_by_matched_probe(int thread) {
  for (int i = 0; i < ROUNDS; ++i) {
    const int out = thread * ROUNDS + i;
    int in = -1;
    MPI_Message message;
    MPI_Status status;
    MPI_Request request;
    MPI_Isend(&out, 1, MPI_INT, peer, 3, MPI_COMM_WORLD, &request);
    MPI_Mprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    CHECK(status.MPI_SOURCE == peer && taken[in]++ == 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

/* One thread probes, and another receives what it has found. */
static _Atomic int found;
static void probe_for_another(int thread, int round) {
  int value = -1;
  MPI_Status status;
  if (thread == 0) {
    MPI_Probe(peer, MPI_ANY_TAG, parents[0], &status);
    CHECK(status.MPI_TAG == round);
    found = round + 1;
  } else if (thread == 1) {
    MPI_Send(&round, 1, MPI_INT, peer, round, parents[0]);
  } else {
    while (found != round + 1)
      sched_yield();
    MPI_Recv(&value, 1, MPI_INT, peer, round, parents[0], MPI_STATUS_IGNORE);
    CHECK(value == round);
  }
}

static pthread_barrier_t barrier;

/* A thread completes what another has begun; a third one sends meanwhile. */
static void complete_for_another(int thread, int round) {
  static MPI_Request request;
  static int in;
  if (thread == 0)
    MPI_Irecv(&in, 1, MPI_INT, peer, 4, MPI_COMM_WORLD, &request);
  pthread_barrier_wait(&barrier);
  if (thread == 1) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in == round);
  } else if (thread == 2) {
    MPI_Send(&round, 1, MPI_INT, peer, 4, MPI_COMM_WORLD);
  }
  pthread_barrier_wait(&barrier);
}

/* A thread waits for a receive that only another one ends. */
static void cancel_for_another(int thread) {
  static MPI_Request request, same;
  static int in;
  int cancelled = 0;
  MPI_Status status;
  if (thread == 0) {
    MPI_Irecv(&in, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &request);
    same = request;
  }
  pthread_barrier_wait(&barrier);
  if (thread == 0) {
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    CHECK(cancelled);
  } else if (thread == 1) {
    MPI_Cancel(&same);
  }
  pthread_barrier_wait(&barrier);
}

/* Communicators are made and freed beside messages. */
static void duplicate_beside_traffic(int thread, MPI_Comm comm) {
  int value = -1;
  for (int i = 0; i < ROUNDS / 10; ++i) {
    MPI_Comm copy = comm;
    if (thread == 0)
      MPI_Comm_dup(comm, &copy);
    MPI_Sendrecv(&i, 1, MPI_INT, peer, 6, &value, 1, MPI_INT, peer, 6, copy, MPI_STATUS_IGNORE);
    CHECK(value == i);
    if (thread == 0)
      MPI_Comm_free(&copy);
  }
}

/* An error handler calls MPI, while other threads do. */
static void answer(MPI_Comm *comm, int *error, ...) {
  int class, in = -1, out = 9;
  MPI_Error_class(*error, &class);
  CHECK(class == MPI_ERR_TRUNCATE);
  MPI_Sendrecv(&out, 1, MPI_INT, 0, BESIDE, &in, 1, MPI_INT, 0, BESIDE, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
  CHECK(in == 9);
  ++handled;
}

static void fail_beside_others(MPI_Comm comm) {
  const int out[2] = {1, 2};
  int in[2];
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(answer, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  for (int i = 0; i < ROUNDS / 10; ++i) {
    MPI_Request request;
    MPI_Isend(out, 2, MPI_INT, peer, 8, comm, &request);
    CHECK(MPI_Recv(in, 1, MPI_INT, peer, 8, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
}

static void *work(void *argument) {
  const int thread = *(int *)argument;
  MPI_Comm comm = parents[thread];
  peer = rank ^ 1;
  levels();
  blocked_beside_others(thread, comm);
  take_by_matched_probe(thread);
  for (int i = 0; i < ROUNDS; ++i) {
    probe_for_another(thread, i);
    complete_for_another(thread, i);
  }
  for (int i = 0; i < ROUNDS; ++i)
    cancel_for_another(thread);
  duplicate_beside_traffic(thread, comm);
  fail_beside_others(comm);
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, THREADS);
  run_team(work);
  CHECK(handled == THREADS * (ROUNDS / 10));
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime -lpthread
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: %mpirun -n 2 %t | FileCheck %s
// CHECK: all threads came through
