/* A program that does nothing but poll enters the runtime with each call that finds nothing (progress.c). Therefore it
 * polls less often. A program that works between its calls must not pay for these entries. 63 of its 64 calls end
 * at once, whatever the program did before.
 *
 * mpispec_state.empty_poll_budget tells: it is what is left of the calls that may find nothing before one enters
 * the runtime. With -DSTATE this file is its reader, for a specialised program brings no headers of
 * ours. */
#ifdef STATE
#include "mpispec/state.h"
unsigned calls_left(void) { return mpispec_state.empty_poll_budget; }
#else
#include "check.h"

#include <mpi.h>

unsigned calls_left(void);

enum { TAG = 3, MANY = 50 * 1000 * 1000, IN_A_ROW = 100, CALLS = 3000, EMPTY_POLL_BUDGET = 64 };
static MPI_Request request; /* a receive whose message does not come */

static void test(void) {
  int flag = 1;
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  CHECK(!flag);
}

static void probe(void) {
  int flag = 1;
  MPI_Iprobe(0, TAG + 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  CHECK(!flag);
}

/* Longer than any that counts as none, whatever else the machine has to do. */
static void work(void) {
  const double until = MPI_Wtime() + 2e-6;
  while (MPI_Wtime() < until)
    ;
}

/* Each call leaves none, once it is found out that there is nothing else. */
static int enters_each_time(void (*poll)(void)) {
  int in_a_row = 0;
  for (int i = 0; i < MANY && in_a_row < IN_A_ROW; ++i) {
    poll();
    in_a_row = calls_left() ? 0 : in_a_row + 1;
    CHECK(calls_left() < EMPTY_POLL_BUDGET);
  }
  return in_a_row == IN_A_ROW;
}

/* How many of CALLS leave none. */
static int enters_beside_work(void (*poll)(void)) {
  int entered = 0;
  for (int i = 0; i < CALLS; ++i) {
    work();
    poll();
    entered += !calls_left();
    CHECK(calls_left() < EMPTY_POLL_BUDGET);
  }
  return entered;
}

int main(int argc, char **argv) {
  static void (*const polls[])(void) = {test, probe};
  int sent = 5, received = 0;
  MPI_Init(&argc, &argv);
  MPI_Sendrecv(&sent, 1, MPI_INT, 0, TAG, &received, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE); /* the runtime knows MPI_INT from here on */
  MPI_Irecv(&received, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 4; ++i) {
    CHECK(argc < 2 || enters_each_time(polls[i % 2]));
    CHECK(enters_beside_work(polls[i % 2]) <= CALLS / 16);
  }
  sent = 6;
  MPI_Send(&sent, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(received == 6);
  MPI_Finalize();
  return passed();
}
#endif

// One rank, which polls for messages of its own: that is never more than there are cores.
//
// REQUIRES: compiler
// RUN: %mpicc %include -DSTATE -c %s -o %t.state.o
// RUN: %mpicc %include %s %t.state.o -o %t %runtime
// RUN: env MPISPEC_MODE=lanes %mpirun -n 1 %t | FileCheck %s
// With a sanitizer a call takes too long to be told from work.
// RUN: %if !sanitizer %{ env MPISPEC_MODE=lanes %mpirun -n 1 %t only | FileCheck %s %}
// RUN: %if !sanitizer %{ %mpispec %mpicc %s %t.state.o -o %t.special %}
// RUN: %if !sanitizer %{ env MPISPEC_MODE=full %mpirun -n 1 %t.special only | FileCheck %s %}
// CHECK: passed
