/* Ranks that share processors sleep while they wait, whatever they wait for; where each has one, or
 * where the user has said so, none does. No sleep ends by itself here: a lost wake, or a wait that
 * nobody ends, is a hang. The argument says whether ranks are to sleep. With a second one, the program requests
 * MPI_THREAD_MULTIPLE, whose waits release the lock while they sleep. */
#include "check.h"
#include "progress/doorbell.h"
#include "progress/progress.h"

#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LONG = 3 << 20, ROUNDS = 40 };
static int rank, size;
static char out[LONG], in[LONG];

/* The others wait for as long as this function takes. */
static void be_late(int round) {
  if (rank == round % size)
    usleep(2000);
}

/* A rank that has sent a short message wakes its receiver before it returns, even if it makes no other call. It awaits
 * the receiver's signal here, and not a message, whose wait would ring as well. */
static void send_and_leave(int round) {
  const struct timespec limit = {.tv_sec = 20};
  sigset_t signals;
  int sender = (int)getpid();
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR2);
  CHECK(!sigprocmask(SIG_BLOCK, &signals, NULL));
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Request request = MPI_REQUEST_NULL;
    usleep(2000);
    if (round % 2)
      MPI_Isend(&sender, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    else
      MPI_Send(&sender, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    CHECK(sigtimedwait(&signals, NULL, &limit) == SIGUSR2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(&sender, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(!syscall(SYS_tgkill, sender, sender, SIGUSR2)); /* the main thread, which blocks it */
  }
}

static void exchange_at_once(int round) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size, mine = rank + round;
  int other = -1;
  be_late(round);
  MPI_Sendrecv(&mine, 1, MPI_INT, right, 6, &other, 1, MPI_INT, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(other == left + round);
}

static void pass_on(int bytes, int round) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size, tag = bytes % 32768;
  be_late(round);
  memset(out, round + rank, (size_t)bytes);
  if (rank == 0)
    MPI_Send(out, bytes, MPI_CHAR, right, tag, MPI_COMM_WORLD);
  MPI_Recv(in, bytes, MPI_CHAR, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(in[0] == (char)(round + left) && in[bytes - 1] == (char)(round + left));
  if (rank)
    MPI_Ssend(out, bytes, MPI_CHAR, right, tag, MPI_COMM_WORLD);
}

static void exchange(int bytes, int round) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request requests[2];
  be_late(round);
  memset(out, round + rank, (size_t)bytes);
  MPI_Irecv(in, bytes, MPI_CHAR, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, bytes, MPI_CHAR, right, 1, MPI_COMM_WORLD, &requests[1]);
  if (round % 2)
    for (int i = 0, index; i < 2; ++i)
      MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  else
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(in[0] == (char)(round + left) && in[bytes - 1] == (char)(round + left));
}

/* A ring of persistent requests: short ones, which the fast path sends, alone and in a row. */
static void pass_persistently(int round) {
  static MPI_Request requests[4];
  static int sent[2], received[2];
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int i = 0; i < 2 && !round; ++i) {
    MPI_Send_init(&sent[i], 1, MPI_INT, right, 10 + i, MPI_COMM_WORLD, &requests[i]);
    MPI_Recv_init(&received[i], 1, MPI_INT, left, 10 + i, MPI_COMM_WORLD, &requests[2 + i]);
  }
  be_late(round);
  sent[0] = sent[1] = rank + round;
  if (rank == 0)
    round % 2 ? (void)MPI_Startall(2, requests)
              : (void)(MPI_Start(&requests[0]), MPI_Start(&requests[1]));
  MPI_Startall(2, &requests[2]);
  MPI_Waitall(2, &requests[2], MPI_STATUSES_IGNORE);
  CHECK(received[0] == left + round && received[1] == left + round);
  if (rank)
    MPI_Startall(2, requests);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 4 && round == ROUNDS - 1; ++i)
    MPI_Request_free(&requests[i]);
}

static void serve(int round) {
  MPI_Status status;
  for (int i = 1, number; i < size && rank == 0; ++i) {
    MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
    MPI_Recv(&number, 1, MPI_INT, status.MPI_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(number == status.MPI_SOURCE + round);
    MPI_Send(&number, 1, MPI_INT, status.MPI_SOURCE, 4, MPI_COMM_WORLD);
  }
  int number = rank + round;
  be_late(round);
  if (rank)
    MPI_Sendrecv_replace(&number, 1, MPI_INT, 0, 3, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void collect(int round) {
  static int all[3 * 4096];
  int sum = 0, word = rank == round % size ? round : -1;
  be_late(round);
  MPI_Barrier(MPI_COMM_WORLD);
  be_late(round + 1);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * (size - 1) / 2);
  be_late(round + 2);
  for (int i = 0; i < 40; ++i) /* more than the steps that may be under way */
    MPI_Bcast(&word, 1, MPI_INT, round % size, MPI_COMM_WORLD);
  CHECK(word == round);
  MPI_Alltoall(MPI_IN_PLACE, 1024, MPI_INT, all, 1024, MPI_INT, MPI_COMM_WORLD);
  MPI_Bcast(in, LONG / 2, MPI_CHAR, round % size, MPI_COMM_WORLD);
}

/* Ranks that sleep are counted, and those that have been rung are not. Rank 0 does not wait meanwhile. */
static void count_sleepers(void) {
  int word = 0, is_over = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank) {
    MPI_Recv(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (!is_over) {
      usleep(1000); /* the rank must not sleep on its doorbell again */
      MPI_Iprobe(0, 6, MPI_COMM_WORLD, &is_over, MPI_STATUS_IGNORE);
    }
    MPI_Recv(&word, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  while (mpispec_doorbells_asleep() != size - 1)
    usleep(100);
  for (int peer = 1; peer < size; ++peer) {
    MPI_Send(&word, 1, MPI_INT, peer, 5, MPI_COMM_WORLD);
    CHECK(mpispec_doorbells_asleep() == size - 1 - peer);
  }
  for (int peer = 1; peer < size; ++peer)
    MPI_Send(&word, 1, MPI_INT, peer, 6, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  CHECK(argc == 2 || argc == 3);
  const int sleeps = !strcmp(argv[1], "sleep");
  int level = argc == 3 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, level, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(mpispec_doorbells_used == sleeps);
  mpispec_longest_sleep = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    pass_on(8, round);
    pass_on(20000, round);
    pass_on(LONG, round);
    send_and_leave(round);
    exchange_at_once(round);
    exchange(8, round);
    exchange(LONG, round);
    pass_persistently(round);
    serve(round);
    collect(round);
  }
  if (sleeps)
    count_sleepers();
  mpispec_longest_sleep = 1000 * 1000;
  CHECK((mpispec_doorbell_counts.sleeps > ROUNDS) == sleeps);
  CHECK((mpispec_doorbell_counts.rings > ROUNDS) == sleeps);
  CHECK(mpispec_doorbell_counts.timeouts == 0);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// RUN: %mpicc %include -I%S %s -o %t %runtime
// RUN: env MPISPEC_VERBOSE=1 %mpirun -n 3 taskset -c 0 %t sleep 2>&1 | FileCheck %s --check-prefixes=SLEEP,CHECK
// RUN: env MPISPEC_VERBOSE=1 %mpirun -n 3 taskset -c 0 %t sleep threads 2>&1 | FileCheck %s --check-prefixes=SLEEP,CHECK
// RUN: for way in pipe shared; do for threads in "" threads; do \
// RUN:   env MPISPEC_LONG_MESSAGES=$way %mpirun -n 2 taskset -c 0 %t sleep $threads | FileCheck %s || exit 1; \
// RUN: done; done
// RUN: %mpirun -n 2 taskset -c 0,1 %t awake | FileCheck %s
// RUN: for word in awake never; do \
// RUN:   env MPISPEC_YIELD=$word %mpirun -n 2 taskset -c 0 %t awake | FileCheck %s || exit 1; done
// SLEEP: mpispec: ranks share processors: those that wait in vain sleep
// CHECK: passed
