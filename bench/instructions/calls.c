/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* calls.c - calls whose instructions are counted: rank 0 runs under callgrind, rank 1 does not.
 *
 * Each operation is a loop of identical calls in a function of its own, counted_* (counted.h).
 * Callgrind collects only inside these functions (--toggle-collect=counted_*), and writes each
 * count under the name "operation calls". Every operation is counted with two numbers of calls. The
 * difference has only the instructions of the calls. Before a receive is counted, its message is in
 * the receiver's lane or queue. Rank 1 signals this by a word in shared memory, not by a message.
 *
 * With --time the same loops are timed instead, without callgrind. Rounds with two numbers of calls
 * are timed, and the best of many rounds counts for each. The result is the difference of the two
 * times, divided by the difference of the numbers: the time of a call in nanoseconds.
 *
 *   calls [--time] [operation...] */
#include "counted.h"
#include "measure.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <valgrind/callgrind.h>

/* Few calls at a time, so that the messages of one round fit wherever an MPI library keeps them. */
enum { FEW = 16, ROUNDS = 64, TRIALS = 24, LONGER = 8 };

double out[256], in[MANY * 100];
MPI_Request requests[ARRAY];
MPI_Status statuses[ARRAY];
struct message message;
int many, some, one;
MPI_Datatype contiguous, strided;
MPI_Comm pair;

/* --- what is not -------------------------------------------------------------------------------*/

static void make_sends(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Send_init(out, 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &requests[i]);
}

static void make_receives(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Recv_init(in, 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &requests[i]);
}

static void free_all(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Request_free(&requests[i]);
}

static void wait_and_free(int calls) {
  MPI_Waitall(calls, requests, MPI_STATUSES_IGNORE);
  free_all(calls);
}

static void post_plainly(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Irecv(&in[i], 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &requests[i]);
}

static void post_from_any(int calls) {
  for (int i = 0; i < calls; ++i)
    MPI_Irecv(in, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
}

static void wait_plainly(int calls) { MPI_Waitall(calls, requests, MPI_STATUSES_IGNORE); }

/* --- rounds ------------------------------------------------------------------------------------*/

/* The part of rank 1 in a round of calls. */
enum partner {
  idle,
  receives,  /* posts receives, and waits for them */
  sends,     /* once rank 0 has posted; before what is counted then */
  answers,   /* the same, after what is counted */
  exchanges, /* sends as above, and receives as many */
  joins      /* makes the same calls, and is there first: rank 0 is slower */
};

static const struct operation {
  const char *name;
  void (*before)(int calls); /* rank 0, before the messages are sent; or null */
  void (*counted)(int calls);
  void (*after)(int calls); /* rank 0; or null */
  enum partner partner;
  int doubles; /* in a message; 0 for 1 */
  int on_pair; /* on `pair`, not MPI_COMM_WORLD */
  int array;   /* the calls share an array of requests as large as can be */
} operations[] = {
    {.name = "loop", .counted = counted_loop},
    {.name = "send-8", .counted = counted_send_8, .partner = receives},
    {.name = "recv-8", .counted = counted_recv_8, .partner = sends},
    {.name = "isend-wait-8", .counted = counted_isend_wait_8, .partner = receives},
    {.name = "irecv-wait-8", .counted = counted_irecv_wait_8, .partner = sends},
    {.name = "sendrecv-self-8", .counted = counted_sendrecv_self_8},
    {.name = "send-1024", .counted = counted_send_1024, .partner = receives},
    {"posted-waitall-8", counted_post, counted_waitall, NULL, sends, 1},
    {"posted-wait-8", counted_post, counted_wait_status, NULL, sends, 1},
    {"posted-wait-unread-8", counted_post, counted_wait_unread, NULL, sends, 1},
    {"waitany-200", counted_post, counted_waitany, NULL, sends, .doubles = 1, .array = 1},
    {"testsome-200", counted_post, counted_testsome, NULL, sends, .doubles = 1, .array = 1},
    {.name = "recv-any", .counted = counted_recv_any, .partner = sends},
    {.name = "probe-recv", .counted = counted_probe_recv, .partner = sends},
    {.name = "iprobe-nothing", .counted = counted_iprobe_nothing},
    {"test-nothing", post_plainly, counted_test_nothing, wait_plainly, answers, 1},
    {"test-any-nothing", post_from_any, counted_test_nothing, wait_plainly, answers, 1},
    {"testany-any-nothing", post_from_any, counted_testany_one_nothing, wait_plainly, answers, 1},
    {.name = "iprobe-one-nothing", .counted = counted_iprobe_one_nothing},
    {"testany-nothing", post_plainly, counted_testany_nothing, wait_plainly, answers, 1},
    {"testall-nothing", post_plainly, counted_testall_nothing, wait_plainly, answers, 1},
    {"testsome-nothing", post_plainly, counted_testsome_nothing, wait_plainly, answers, 1},
    {.name = "send-struct", .counted = counted_send_struct, .partner = receives},
    {.name = "recv-struct", .counted = counted_recv_struct, .partner = sends},
    {.name = "send-contiguous", .counted = counted_send_contiguous, .partner = receives},
    {.name = "send-vector", .counted = counted_send_vector, .partner = receives},
    {.name = "recv-vector", .counted = counted_recv_vector, .partner = sends, .doubles = 4},
    {.name = "send-100", .counted = counted_send_many, .partner = receives},
    {.name = "recv-100", .counted = counted_recv_many, .partner = sends, .doubles = 100},
    {.name = "send-16", .counted = counted_send_some, .partner = receives},
    {.name = "recv-16", .counted = counted_recv_some, .partner = sends, .doubles = 16},
    {"posted-waitall-100", counted_post_many, counted_waitall, NULL, sends, 100},
    {"startall-sends", make_sends, counted_startall_waitall, free_all, receives},
    {"startall-receives", make_receives, counted_startall, wait_and_free, answers, 1},
    /* Last, for from here on a rank has a lane to itself, at which wildcards have to look, too. */
    {.name = "send-one", .counted = counted_send_one, .partner = receives},
    {.name = "recv-one", .counted = counted_recv_one, .partner = sends},
    {.name = "send-2048", .counted = counted_send_2048, .partner = receives},
    {.name = "recv-2048", .counted = counted_recv_2048, .partner = sends, .doubles = 256},
    {.name = "isend-wait-2048", .counted = counted_isend_wait_2048, .partner = receives},
    {.name = "sendrecv-2048",
     .counted = counted_sendrecv_2048,
     .partner = exchanges,
     .doubles = 256},
    {.name = "send-pair-2048",
     .counted = counted_send_pair_2048,
     .partner = receives,
     .on_pair = 1},
    {.name = "recv-pair-2048",
     .counted = counted_recv_pair_2048,
     .partner = sends,
     .doubles = 256,
     .on_pair = 1},
    {.name = "irecv-wait-2048",
     .counted = counted_irecv_wait_2048,
     .partner = sends,
     .doubles = 256},
    {.name = "sendrecv-8", .counted = counted_sendrecv_8, .partner = exchanges},
    {.name = "sendrecv-remote-8", .counted = counted_sendrecv_remote_8, .partner = exchanges},
    {.name = "sendrecv-local-8", .counted = counted_sendrecv_local_8},
    {.name = "replace-self-8", .counted = counted_replace_self_8},
    {.name = "own-posted-8", .counted = own_posted_8},
    {.name = "own-posted-2048", .counted = own_posted_2048},
    {.name = "barrier", .counted = counted_barrier, .partner = joins},
    {.name = "bcast-from-here", .counted = counted_bcast_from_here, .partner = joins},
    {.name = "bcast-to-here", .counted = counted_bcast_to_here, .partner = joins},
    {.name = "reduce-to-here", .counted = counted_reduce_to_here, .partner = joins},
    {.name = "reduce-from-here", .counted = counted_reduce_from_here, .partner = joins},
    {.name = "allreduce", .counted = counted_allreduce, .partner = joins},
};

static struct shared {
  _Atomic int posted; /* rounds in which rank 0 has done what comes before, */
  _Atomic int sent;   /* whose messages rank 1 has sent, */
  _Atomic int over;   /* and in which rank 0 has done what is counted */
} *shared;

static void tell(_Atomic int *rounds, int round) {
  atomic_store_explicit(rounds, round, memory_order_release);
}

static void await(_Atomic int *rounds, int round) {
  while (atomic_load_explicit(rounds, memory_order_acquire) < round)
    sched_yield();
}

static void receive_all(int calls, MPI_Comm comm) {
  for (int i = 0; i < calls; ++i)
    MPI_Irecv(in, 256, MPI_DOUBLE, 0, tag, comm, &requests[i]);
  MPI_Waitall(calls, requests, MPI_STATUSES_IGNORE);
}

static void send_all(int calls, int doubles, MPI_Comm comm) {
  for (int i = 0; i < calls; ++i)
    MPI_Isend(out, doubles ? doubles : 1, MPI_DOUBLE, 0, tag, comm, &requests[i]);
}

static double best; /* time of a round, in seconds */

static void measured(const struct operation *operation, int round, int calls) {
  if (operation->before)
    operation->before(calls);
  tell(&shared->posted, round);
  if (operation->partner == sends || operation->partner == exchanges)
    await(&shared->sent, round);
  const double begin = MPI_Wtime();
  operation->counted(calls);
  const double time = MPI_Wtime() - begin;
  best = time < best ? time : best;
  tell(&shared->over, round);
  if (operation->after)
    operation->after(calls);
}

static void assist(const struct operation *operation, int round, int calls) {
  const MPI_Comm comm = operation->on_pair ? pair : MPI_COMM_WORLD;
  if (operation->partner == receives) {
    receive_all(calls, comm);
  } else if (operation->partner == joins) {
    operation->counted(calls);
  } else if (operation->partner != idle) {
    await(operation->partner == answers ? &shared->over : &shared->posted, round);
    send_all(calls, operation->doubles, comm);
    tell(&shared->sent, round);
    MPI_Waitall(calls, requests, MPI_STATUSES_IGNORE);
    if (operation->partner == exchanges)
      receive_all(calls, comm);
  }
}

static void round_of(const struct operation *operation, int rank, int calls) {
  static int round;
  MPI_Barrier(MPI_COMM_WORLD);
  ++round;
  (rank ? assist : measured)(operation, round, calls);
}

static void count_rounds(const struct operation *operation, int rank, int calls, int rounds) {
  char name[64];
  snprintf(name, sizeof name, "%s %d", operation->name, calls * rounds);
  CALLGRIND_ZERO_STATS;
  for (int i = 0; i < rounds; ++i)
    round_of(operation, rank, calls);
  CALLGRIND_DUMP_STATS_AT(name);
}

/* Where both ranks are at work rank 0 may have to wait: of several counts the least is told. */
static void count(const struct operation *operation, int rank, int calls, int rounds) {
  round_of(operation, rank, calls); /* whatever the first call sets up */
  if (operation->partner != joins)
    count_rounds(operation, rank, calls, rounds);
  for (int i = 0; operation->partner == joins && i < TRIALS; ++i)
    count_rounds(operation, rank, calls, 1);
}

static void count_time(const struct operation *operation, int rank) {
  enum { TIMED = 50 * ROUNDS };
  double of[2];
  for (int twice = 0; twice < 2; ++twice) {
    best = 1;
    for (int i = 0; i < TIMED; ++i)
      round_of(operation, rank, twice ? MANY : FEW);
    of[twice] = best;
  }
  if (!rank)
    printf("%s %.1f\n", operation->name, (of[1] - of[0]) / (MANY - FEW) * 1e9);
}

/* An array's size is part of what is counted, so it is the rounds that differ. */
static void count_twice(const struct operation *operation, int rank) {
  if (operation->array) {
    count(operation, rank, ARRAY, 4);
    count(operation, rank, ARRAY, 8);
  } else {
    const int times = operation->partner == joins ? LONGER : 1;
    count(operation, rank, FEW * times, ROUNDS);
    count(operation, rank, MANY * times, ROUNDS);
  }
}

static int wanted(const char *name, int argc, char **argv) {
  for (int i = 0; i < argc; ++i)
    if (strcmp(argv[i], name) == 0)
      return 1;
  return argc == 0;
}

/* Numbers that no compiler can derive. */
static void learn(void) {
  volatile int numbers[] = {1, 1, tag, 100, 1, 16};
  volatile MPI_Datatype datatype = MPI_DOUBLE;
  volatile MPI_Comm communicator = MPI_COMM_WORLD;
  message = (struct message){in, numbers[0], numbers[1], numbers[2], datatype, communicator};
  many = numbers[3];
  one = numbers[4];
  some = numbers[5];
}

static void make_types(void) {
  MPI_Type_contiguous(2, MPI_DOUBLE, &contiguous);
  MPI_Type_commit(&contiguous);
  MPI_Type_vector(4, 1, 3, MPI_DOUBLE, &strided);
  MPI_Type_commit(&strided);
}

int main(int argc, char **argv) {
  int rank;
  measure_begin(&argc, &argv, 0);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  shared = measure_shared(sizeof *shared);
  learn();
  MPI_Comm_dup(MPI_COMM_WORLD, &pair);
  make_types();
  const int times = argc > 1 && strcmp(argv[1], "--time") == 0;
  for (unsigned i = 0; i < sizeof operations / sizeof *operations; ++i)
    if (wanted(operations[i].name, argc - 1 - times, argv + 1 + times))
      (times ? count_time : count_twice)(&operations[i], rank);
  MPI_Type_free(&contiguous);
  MPI_Type_free(&strided);
  MPI_Comm_free(&pair);
  measure_end();
  return 0;
}
