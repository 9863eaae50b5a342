/* MPI's objects belong to the process, so that one thread may begin what another ends: MPI-4.0, 11.6.1. Requests
 * of all kinds, matched messages and generalised requests pass from thread to thread. A thread may end while its
 * receive is active. */
enum { THREADS = 3, ROUNDS = 100, LARGE = 20000, MANY = 4 };

#include "team.h"

#include <string.h>
#include <unistd.h>

static pthread_barrier_t barrier;
static MPI_Request requests[2 * MANY];
static int in[MANY][LARGE], out[LARGE];

static void await(void) { pthread_barrier_wait(&barrier); }

static int length_of(int round) { return round % 4 ? 1 : LARGE; }

static void check_received(int round) {
  for (int i = 0; i < MANY; ++i)
    CHECK(in[i][0] == other_rank() + round && in[i][length_of(round) - 1] == other_rank() + round);
}

static void fill(int round) {
  for (int k = 0; k < LARGE; ++k)
    out[k] = rank + round;
  memset(in, -1, sizeof in);
}

/* Receives of one thread and sends of another are completed by a third one, in each of MPI's ways. */
static void complete_array(int round) {
  int indices[2 * MANY], flag = 0, index, count;
  switch (round % 6) {
  case 0:
    MPI_Waitall(2 * MANY, requests, MPI_STATUSES_IGNORE);
    break;
  case 1:
    while (!flag)
      MPI_Testall(2 * MANY, requests, &flag, MPI_STATUSES_IGNORE);
    break;
  case 2:
    for (int left = 2 * MANY; left; --left)
      MPI_Waitany(2 * MANY, requests, &index, MPI_STATUS_IGNORE);
    break;
  case 3:
    for (int left = 2 * MANY; left; left -= flag) {
      MPI_Testany(2 * MANY, requests, &index, &flag, MPI_STATUS_IGNORE);
      CHECK(!flag || index != MPI_UNDEFINED);
    }
    break;
  case 4:
    for (int left = 2 * MANY; left; left -= count)
      MPI_Waitsome(2 * MANY, requests, &count, indices, MPI_STATUSES_IGNORE);
    break;
  default:
    for (int left = 2 * MANY; left; left -= count)
      MPI_Testsome(2 * MANY, requests, &count, indices, MPI_STATUSES_IGNORE);
  }
}

static void hand_over_arrays(int thread) {
  for (int round = 0; round < ROUNDS; ++round) {
    const int receiver = round % THREADS, sender = (round + 1) % THREADS;
    if (thread == receiver)
      fill(round);
    await();
    for (int i = 0; i < MANY && thread == receiver; ++i)
      MPI_Irecv(in[i], LARGE, MPI_INT, i % 2 ? other_rank() : MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < MANY && thread == sender; ++i)
      MPI_Isend(out, length_of(round), MPI_INT, other_rank(), i, MPI_COMM_WORLD, &requests[MANY + i]);
    await();
    if (thread == (round + 2) % THREADS) {
      complete_array(round);
      check_received(round);
    }
    await();
  }
}

/* Each use of persistent requests is by other threads: one starts, one completes, and the last one frees. */
static void hand_over_persistent(int thread) {
  if (thread == 0) {
    MPI_Recv_init(in[0], LARGE, MPI_INT, other_rank(), 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out, LARGE, MPI_INT, other_rank(), 5, MPI_COMM_WORLD, &requests[1]);
  }
  for (int round = 0; round < ROUNDS; ++round) {
    await();
    if (thread == round % THREADS) {
      fill(round);
      MPI_Startall(2, requests);
    }
    await();
    if (thread == (round + 1) % THREADS) {
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      CHECK(in[0][LARGE - 1] == other_rank() + round);
    }
  }
  await();
  if (thread == 1) {
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
  }
  await();
}

/* One thread matches a message. Another thread receives it, while a third one receives a later message with the same
 * envelope. */
static void hand_over_messages(int thread) {
  static MPI_Message message;
  for (int round = 0; round < ROUNDS; ++round) {
    int value = -1;
    MPI_Status status;
    if (thread == 0) {
      MPI_Mprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &message, &status);
      CHECK(status.MPI_SOURCE == other_rank());
    } else if (thread == 1) {
      const int first = 2 * round, second = 2 * round + 1;
      MPI_Send(&first, 1, MPI_INT, other_rank(), 6, MPI_COMM_WORLD);
      MPI_Send(&second, 1, MPI_INT, other_rank(), 6, MPI_COMM_WORLD);
    }
    await();
    if (thread == 1)
      MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    else if (thread == 2)
      MPI_Recv(&value, 1, MPI_INT, other_rank(), 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(thread == 0 || value == 2 * round + thread - 1);
    await();
  }
}

/* --- generalised requests ----------------------------------------------------------------------*/

/* If the program uses it, a thread sends while it holds the mutex, and `query` needs it. MPICH has its own lock while it
 * calls `query`, so the send must not need that. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int uses_mutex;

static void lock(void) {
  if (uses_mutex)
    pthread_mutex_lock(&mutex);
}

static void unlock(void) {
  if (uses_mutex)
    pthread_mutex_unlock(&mutex);
}

static int query(void *unused, MPI_Status *status) {
  (void)unused;
  lock();
  unlock();
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int release(void *unused) { return (void)unused, MPI_SUCCESS; }
static int cancel(void *unused, int complete) { return (void)unused, (void)complete, MPI_SUCCESS; }

/* A thread waits for a message and for a generalised request. Other threads end each. */
static void complete_generalised(int thread) {
  for (int round = 0; round < ROUNDS; ++round) {
    if (thread == 0) {
      MPI_Grequest_start(query, release, cancel, NULL, &requests[0]);
      MPI_Irecv(in[0], 1, MPI_INT, other_rank(), 7, MPI_COMM_WORLD, &requests[1]);
    }
    await();
    if (thread == 0) {
      MPI_Request own[2] = {requests[0], requests[1]};
      if (round % 2)
        MPI_Waitall(2, own, MPI_STATUSES_IGNORE);
      for (int i = 0; i < 2 && round % 2 == 0; ++i)
        MPI_Wait(&own[i], MPI_STATUS_IGNORE);
      CHECK(in[0][0] == round);
    } else if (thread == 1) {
      MPI_Grequest_complete(requests[0]);
    } else {
      lock();
      usleep(uses_mutex ? 200 : 0); /* the query comes meanwhile */
      MPI_Send(&round, 1, MPI_INT, other_rank(), 7, MPI_COMM_WORLD);
      unlock();
    }
    await();
  }
}

static void *work(void *argument) {
  const int thread = *(int *)argument;
  hand_over_arrays(thread);
  hand_over_persistent(thread);
  hand_over_messages(thread);
  complete_generalised(thread);
  return NULL;
}

/* --- a thread that has ended -------------------------------------------------------------------*/

static void *post_and_end(void *argument) {
  const int i = *(int *)argument;
  MPI_Irecv(in[i], LARGE, MPI_INT, rank ^ 1, 20 + i, MPI_COMM_WORLD, &requests[i]);
  return NULL;
}

static void complete_for_the_ended(void) {
  memset(in, -1, sizeof in);
  run_threads(post_and_end);
  MPI_Barrier(MPI_COMM_WORLD);
  out[LARGE - 1] = rank + 9;
  for (int i = 0; i < THREADS; ++i)
    MPI_Send(out, LARGE, MPI_INT, rank ^ 1, 20 + i, MPI_COMM_WORLD);
  MPI_Waitall(THREADS, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < THREADS; ++i)
    CHECK(in[i][LARGE - 1] == (rank ^ 1) + 9);
}

static void *after_all(void *argument) {
  work(argument);
  await();
  if (*(int *)argument == 0)
    complete_for_the_ended();
  return NULL;
}

int main(int argc, char **argv) {
  (void)argv;
  uses_mutex = argc > 1;
  pthread_barrier_init(&barrier, NULL, THREADS);
  run_team(after_all);
  return 0;
}

// LABEL: core
// RUN: %mpicc -w %include %s -o %t %runtime -lpthread
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t | FileCheck %s
// RUN: env MPISPEC_MODE=lanes %mpirun -n 2 %t mutex | FileCheck %s
// RUN: %mpirun -n 2 %t | FileCheck %s
// RUN: %if nodes %{ env MPIR_CVAR_ODD_EVEN_CLIQUES=1 %mpirun -n 2 %t | FileCheck %s %}
// CHECK: all threads came through
