/* calls.c - calls whose instructions are counted: rank 0 runs under callgrind, rank 1 does not.
 *
 * Each operation is a loop of identical calls in a function of its own, counted_*; callgrind
 * collects only inside them (--toggle-collect=counted_*), and writes what one count took under the
 * name "operation calls". Every operation is counted with two numbers of calls, so that the
 * difference is free of what does not depend on their number. Before a receive is counted its
 * messages lie in the receiver's lane or queue: a word in shared memory tells, not a message.
 *
 *   calls [operation...] */
#include "measure.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <valgrind/callgrind.h>

/* Few calls at a time, so that the messages of one round fit wherever an MPI library keeps them. */
enum { FEW = 16, MANY = 32, ROUNDS = 64, tag = 7 };
#define COUNTED __attribute__((noinline, noclone)) static void

static double out[128], in[128];
static MPI_Request requests[MANY];

COUNTED counted_loop(int calls) {
  for (int i = 0; i < calls; ++i)
    __asm__ volatile("" ::: "memory");
}

COUNTED counted_send_8(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Send(out, 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
}

COUNTED counted_send_1024(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Send(out, 128, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
}

COUNTED counted_recv_8(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Recv(in, 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

COUNTED counted_isend_wait_8(int calls) {
  MPI_Request request;
  for (int i = 0; i < calls; ++i) {
    MPI_Isend(out, 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

COUNTED counted_irecv_wait_8(int calls) {
  MPI_Request request;
  for (int i = 0; i < calls; ++i) {
    MPI_Irecv(in, 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

COUNTED counted_sendrecv_self_8(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Sendrecv(out, 1, MPI_DOUBLE, 0, tag, in, 1, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* What rank 1 does for a round of calls. */
enum partner { idle, receives, sends };

static void receive_all(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Irecv(in, 128, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, &requests[i]);
  MPI_Waitall(calls, requests, MPI_STATUSES_IGNORE);
}

static void send_all(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Isend(out, 1, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, &requests[i]);
}

static const struct operation {
  const char *name;
  void (*counted)(int calls);
  enum partner partner;
} operations[] = {
    {"loop", counted_loop, idle},
    {"send-8", counted_send_8, receives},
    {"recv-8", counted_recv_8, sends},
    {"isend-wait-8", counted_isend_wait_8, receives},
    {"irecv-wait-8", counted_irecv_wait_8, sends},
    {"sendrecv-self-8", counted_sendrecv_self_8, idle},
    {"send-1024", counted_send_1024, receives},
};

static _Atomic int *sent; /* rounds whose messages rank 1 has sent */

static void await_messages(int round) {
  while (atomic_load_explicit(sent, memory_order_acquire) < round)
    sched_yield();
}

static void round_of(const struct operation *operation, int rank, int calls) {
  static int round;
  MPI_Barrier(MPI_COMM_WORLD);
  ++round;
  if (rank == 0) {
    if (operation->partner == sends)
      await_messages(round);
    operation->counted(calls);
  } else if (operation->partner == receives) {
    receive_all(calls);
  } else if (operation->partner == sends) {
    send_all(calls);
    atomic_store_explicit(sent, round, memory_order_release);
    MPI_Waitall(calls, requests, MPI_STATUSES_IGNORE);
  }
}

static void count(const struct operation *operation, int rank, int calls) {
  char name[64];
  snprintf(name, sizeof name, "%s %d", operation->name, calls * ROUNDS);
  round_of(operation, rank, calls); /* whatever the first call sets up */
  CALLGRIND_ZERO_STATS;
  for (int i = 0; i < ROUNDS; ++i)
    round_of(operation, rank, calls);
  CALLGRIND_DUMP_STATS_AT(name);
}

static int wanted(const char *name, int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    if (strcmp(argv[i], name) == 0)
      return 1;
  return argc <= 1;
}

int main(int argc, char **argv) {
  int rank;
  measure_begin(&argc, &argv, 0);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  sent = measure_shared(sizeof *sent);
  for (unsigned i = 0; i < sizeof operations / sizeof *operations; ++i)
    if (wanted(operations[i].name, argc, argv)) {
      count(&operations[i], rank, FEW);
      count(&operations[i], rank, MANY);
    }
  measure_end();
  return 0;
}
