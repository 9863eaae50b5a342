/* Several threads make communicators from different parents at the same time. The children that
 * live at the same time have different slots, all members of a child have the same one, and mostly
 * the constructor finds it. Members without a child, children without an operation and idup, which
 * agrees later, are among them. */
enum { THREADS = 4, ROUNDS = 60 };

#include "collective/collective.h"
#include "comm/communicator.h"
#include "progress/lock.h"
#include "team.h"

static int live[THREADS]; /* the number of the slot of a thread's child, and 1; or 0 */
static int with_slot, made_by_blocking; /* numbers of children */

/* Returns the number of the slot of `comm` and 1, or 0 if it has none. */
static int slot_of(MPI_Comm comm) {
  mpispec_lock();
  const struct mpispec_communicator *known = mpispec_communicator_find(comm);
  const struct mpispec_collective *collective = known ? known->collective : NULL;
  const int number = collective ? 1 + (int)collective->number : 0;
  mpispec_unlock();
  return number;
}

/* Notes the child's slot, which no other thread's child has. */
static void enter(int thread, MPI_Comm child, int counts) {
  const int number = slot_of(child);
  int least, most;
  pthread_mutex_lock(&turn_mutex);
  for (int i = 0; i < THREADS && number; ++i)
    CHECK(i == thread || live[i] != number);
  live[thread] = number;
  with_slot += counts && number;
  made_by_blocking += counts;
  pthread_mutex_unlock(&turn_mutex);
  MPI_Allreduce(&number, &least, 1, MPI_INT, MPI_MIN, parents[thread]);
  MPI_Allreduce(&number, &most, 1, MPI_INT, MPI_MAX, parents[thread]);
  CHECK(least == most);
}

/* The child's slot is free again for other threads when MPI_Comm_free returns, not before. */
static void leave(int thread, MPI_Comm *child) {
  pthread_mutex_lock(&turn_mutex);
  live[thread] = 0;
  pthread_mutex_unlock(&turn_mutex);
  MPI_Comm_free(child);
}

static void use(MPI_Comm comm, int thread, int round) {
  double mine = rank + thread + round, sum;
  int root = round % size, word = rank == root ? thread * ROUNDS + round : -1;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  CHECK(sum == size * (size - 1) / 2 + size * (thread + round));
  MPI_Bcast(&word, 1, MPI_INT, root, comm);
  CHECK(word == thread * ROUNDS + round);
}

/* A communicator of all ranks but the last one. */
static void split(int thread, int round) {
  MPI_Comm part;
  int mine = rank + thread, sum;
  MPI_Comm_split(parents[thread], rank == size - 1 ? MPI_UNDEFINED : 0, 0, &part);
  if (part == MPI_COMM_NULL)
    return;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, part);
  CHECK(sum == (size - 1) * (size - 2) / 2 + (size - 1) * thread);
  if (round % 2)
    MPI_Barrier(part);
  MPI_Comm_free(&part);
}

static void *work(void *argument) {
  const int thread = *(int *)argument;
  MPI_Comm child, unused;
  MPI_Request request;
  MPI_Barrier(parents[thread]);
  for (int round = 0; round < ROUNDS; ++round) {
    MPI_Comm_dup(parents[thread], &child);
    enter(thread, child, 1);
    use(child, thread, round);
    if (round % 3 == 0)
      MPI_Comm_dup(parents[thread], &unused);
    leave(thread, &child);
    split(thread, round);
    if (round % 3 == 0)
      MPI_Comm_free(&unused);
    if (round % 8)
      continue;
    MPI_Comm_idup(parents[thread], &child, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    use(child, thread, round);
    enter(thread, child, 0);
    leave(thread, &child);
  }
  return NULL;
}

int main(void) {
  run_team(work);
  CHECK(made_by_blocking == THREADS * ROUNDS);
  CHECK(with_slot > made_by_blocking / 2);
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include -I%S %s -o %t %runtime -lpthread
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 3 %t | FileCheck %s
// CHECK: all threads came through
