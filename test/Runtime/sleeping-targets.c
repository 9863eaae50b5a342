/* Targets of one-sided operations that sleep in a receive, where no sleep ends by itself: an origin
 * that does not wake its target is a hang. Ranks that are no targets sleep on. */
// LABEL: core
#include "check.h"
#include "progress/doorbell.h"
#include "progress/library_polls.h"
#include "progress/library_progress.h"
#include "progress/lock.h"
#include "progress/origin.h"
#include "progress/progress.h"
#include "progress/tuning.h"

#include <mpi.h>

enum { TIMES = 20, TARGET = 1, TAG = 5 };
static int rank, size;
static double *memory, one = 1, got;
static MPI_Win window;

static void add(int target) {
  MPI_Accumulate(&one, 1, MPI_DOUBLE, target, 0, 1, MPI_DOUBLE, MPI_SUM, window);
}

static void lock(int target) {
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window);
  add(target);
  MPI_Win_unlock(target, window);
}

static void flush(int target) {
  MPI_Win_lock(MPI_LOCK_SHARED, target, 0, window);
  add(target);
  MPI_Win_flush(target, window);
  MPI_Fetch_and_op(&one, &got, MPI_DOUBLE, target, 1, MPI_SUM, window);
  MPI_Win_flush_local(target, window);
  MPI_Win_unlock(target, window);
}

static void flush_all(int target) {
  MPI_Win_lock_all(0, window);
  add(target);
  MPI_Win_flush_all(window);
  MPI_Fetch_and_op(&one, &got, MPI_DOUBLE, target, 1, MPI_SUM, window);
  MPI_Win_flush_local_all(window);
  MPI_Win_unlock_all(window);
}

static void wait(int target) {
  MPI_Request request;
  MPI_Win_lock_all(0, window);
  CHECK(mpispec_origin_has_targets());
  MPI_Rget_accumulate(&one, 1, MPI_DOUBLE, &got, 1, MPI_DOUBLE, target, 0, 1, MPI_DOUBLE, MPI_SUM,
                      window, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(window);
}

static void wait_for_two(int target) {
  MPI_Request requests[2];
  int index;
  MPI_Win_lock_all(0, window);
  MPI_Raccumulate(&one, 1, MPI_DOUBLE, target, 0, 1, MPI_DOUBLE, MPI_SUM, window, &requests[0]);
  MPI_Rget(&got, 1, MPI_DOUBLE, target, 1, 1, MPI_DOUBLE, window, &requests[1]);
  MPI_Waitany(1, &requests[1], &index, MPI_STATUS_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Win_unlock_all(window);
}

static void test(int target) {
  MPI_Request requests[3];
  int done = 0, index, found = 0, indices[1];
  MPI_Win_lock_all(0, window);
  usleep(2000); /* the target may have been woken, and sleeps again */
  for (int i = 0; i < 3; ++i)
    MPI_Rget_accumulate(&one, 1, MPI_DOUBLE, &got, 1, MPI_DOUBLE, target, 0, 1, MPI_DOUBLE, MPI_SUM,
                        window, &requests[i]);
  while (!done)
    MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
  for (done = 0; !done;)
    MPI_Testany(1, &requests[1], &index, &done, MPI_STATUS_IGNORE);
  while (!found)
    MPI_Testsome(1, &requests[2], &found, indices, MPI_STATUSES_IGNORE);
  MPI_Win_unlock_all(window);
}

/* Rank 0 is the origin. The others wait for it in MPI_Recv. Returns how often this rank was woken. */
static uint32_t run(void (*operation)(int target)) {
  const uint32_t before = mpispec_doorbell_asked();
  if (rank) {
    MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    for (int i = 0; i < TIMES; ++i)
      operation(TARGET);
    for (int peer = 1; peer < size; ++peer)
      MPI_Send(NULL, 0, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
  }
  const uint32_t woken = mpispec_doorbell_asked() - before;
  MPI_Barrier(MPI_COMM_WORLD);
  return woken;
}

/* The others wait in the library for so long that they nap. */
static void run_in_library(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank)
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
  else
    usleep(20 * 1000);
  for (int i = 0; i < TIMES && !rank; ++i)
    lock(TARGET);
  if (!rank)
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* The library reads and writes a target's memory itself, or reports its polls. Then the target is
 * woken only if it is needed. */
static void check_one_target(void (*operation)(int target)) {
  CHECK(!run(operation) || rank == TARGET);
}

/* The target may still sleep when the origin completes its access epoch. */
static void check_access_epoch(void) {
  MPI_Group all, others;
  const int origin = 0, target = TARGET;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, rank ? &origin : &target, &others);
  for (int i = 0; i < TIMES; ++i) {
    if (rank == TARGET)
      MPI_Win_post(others, 0, window);
    if (!rank) {
      MPI_Win_start(others, 0, window);
      add(TARGET);
      MPI_Win_complete(window);
    }
    if (!rank)
      MPI_Send(NULL, 0, MPI_BYTE, TARGET, TAG, MPI_COMM_WORLD);
    if (rank == TARGET) {
      MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Win_wait(window);
    }
  }
  MPI_Group_free(&others);
  MPI_Group_free(&all);
}

static void lock_own(int target) {
  (void)target;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
  add(MPI_PROC_NULL);
  MPI_Win_flush(rank, window);
  MPI_Win_unlock(rank, window);
}

/* A rank of the window is not the same rank of MPI_COMM_WORLD. */
static void check_other_order(void) {
  MPI_Comm reverse;
  MPI_Win of_world = window;
  double *value;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reverse);
  MPI_Win_allocate(2 * sizeof *value, sizeof *value, MPI_INFO_NULL, reverse, &value, &window);
  value[0] = value[1] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(!run(lock) || rank == size - 1 - TARGET);
  CHECK(value[0] == (rank == size - 1 - TARGET ? TIMES : 0));
  MPI_Win_free(&window);
  MPI_Comm_free(&reverse);
  window = of_world;
}

/* Whether a wait polls the library in this round. */
static int polls_library(unsigned round) {
  const uint64_t before = mpispec_library_progress_at;
  mpispec_lock();
  mpispec_wait_backoff(round);
  mpispec_unlock();
  return mpispec_library_progress_at != before;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(mpispec_doorbells_used && size > 3);
  const unsigned early = MPISPEC_WINDOW_PROGRESS_EVERY - 1, later = MPISPEC_SPINS / 4 - 1;
  CHECK(!polls_library(early) && !polls_library(later) && !mpispec_progress_has_windows());
  MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                   &window);
  CHECK(!polls_library(early) && polls_library(later) && mpispec_progress_has_windows());
  memory[0] = memory[1] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  mpispec_longest_sleep = mpispec_library_polls_are_reported() ? 0 : mpispec_longest_sleep;
  CHECK(!mpispec_origin_has_targets());
  check_one_target(lock);
  check_one_target(flush);
  CHECK(!run(lock_own));
  run(flush_all);
  run(wait);
  run(wait_for_two);
  run(test);
  CHECK(!mpispec_origin_has_targets());
  run_in_library();
  check_access_epoch();
  check_other_order();
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(memory[0] == (rank == TARGET ? 10 * TIMES : 0));
  CHECK(memory[1] == (rank == TARGET ? 2 * TIMES : 0));
  CHECK(mpispec_doorbell_asked() || rank != TARGET || !mpispec_library_polls_are_reported());
  MPI_Win_free(&window);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// RUN: %mpicc %include -I%S %s -o %t %runtime
// RUN: taskset -c 0 %mpirun -n 4 %t | FileCheck %s
// RUN: taskset -c 0,1 %mpirun -n 9 %t | FileCheck %s
// CHECK: passed
