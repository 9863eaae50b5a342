/* A program that waits by tests of operations that the MPI library executes yields where ranks share a processor,
 * also over a library that does not yield itself, and reports no polls. */
#define _GNU_SOURCE
#include "check.h"

#include <mpi.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LATE_US = 30 * 1000, TAG = 5 };
enum kind { TEST, TESTALL, TESTANY, TESTSOME, GET_STATUS, IPROBE, WIN_TEST, KINDS };

static int rank, is_counted;
static long yields;
static MPI_Comm other_side;
static MPI_Win window;

int sched_yield(void) {
  yields += is_counted;
  return (int)syscall(SYS_sched_yield);
}

static int test(enum kind kind, MPI_Request *request) {
  int flag = 0, index;
  switch (kind) {
  case TEST:
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    break;
  case TESTALL:
    MPI_Testall(1, request, &flag, MPI_STATUSES_IGNORE);
    break;
  case TESTANY:
    MPI_Testany(1, request, &index, &flag, MPI_STATUS_IGNORE);
    break;
  case TESTSOME:
    MPI_Testsome(1, request, &flag, &index, MPI_STATUSES_IGNORE);
    break;
  case GET_STATUS:
    MPI_Request_get_status(*request, &flag, MPI_STATUS_IGNORE);
    break;
  case IPROBE:
    MPI_Iprobe(0, TAG, other_side, &flag, MPI_STATUS_IGNORE);
    break;
  default:
    MPI_Win_test(window, &flag);
  }
  return flag;
}

/* The operation that rank 0 tests, and that rank 1 makes later. */
static void begin(enum kind kind, MPI_Group peer, MPI_Request *request) {
  if (kind == IPROBE) {
    if (rank)
      MPI_Send(NULL, 0, MPI_INT, 0, TAG, other_side);
  } else if (kind == WIN_TEST) {
    if (rank) {
      MPI_Win_start(peer, 0, window);
      MPI_Win_complete(window);
    }
  } else {
    MPI_Ibarrier(MPI_COMM_WORLD, request);
  }
}

static void end(enum kind kind, MPI_Request *request) {
  if (kind == IPROBE && !rank)
    MPI_Recv(NULL, 0, MPI_INT, 0, TAG, other_side, MPI_STATUS_IGNORE);
  MPI_Wait(request, MPI_STATUS_IGNORE);
}

/* Returns 0 if rank 0 has hardly yielded: perhaps the system kept it from testing before rank 1 came. */
static int try(enum kind kind, MPI_Group peer) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Barrier(MPI_COMM_WORLD);
  if (kind == WIN_TEST && !rank)
    MPI_Win_post(peer, 0, window);
  if (rank)
    usleep(LATE_US);
  begin(kind, peer, &request);
  yields = 0;
  is_counted = !rank;
  while (!rank && !test(kind, &request))
    ;
  is_counted = 0;
  end(kind, &request);
  int has_yielded = yields >= 10;
  MPI_Bcast(&has_yielded, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return has_yielded;
}

int main(int argc, char **argv) {
  MPI_Group all, peer;
  int other, cell = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, other, 1, &other_side);
  MPI_Win_create(&cell, sizeof cell, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &other, &peer);
  for (int kind = TEST; kind < KINDS; ++kind) {
    int tries = 0;
    while (!try(kind, peer) && ++tries < 5)
      ;
    if (tries == 5)
      tell("kind %d: hardly any yields", kind);
    CHECK(tries < 5);
  }
  MPI_Group_free(&all);
  MPI_Group_free(&peer);
  MPI_Win_free(&window);
  MPI_Comm_free(&other_side);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// UNSUPPORTED: sanitizer
// RUN: %mpicc -w %include %s -o %t %runtime
// DEFINE: %{shared} = env MPISPEC_MODE=lanes taskset -c 0 %mpirun -n 2
// RUN: %if openmpi4 %{ %{shared} --bind-to none env -u OMPI_MCA_mpi_yield_when_idle OMPI_MCA_mpi_oversubscribe=0 %t \
// RUN:   | FileCheck %s %}
// RUN: %{shared} %t | FileCheck %s
// CHECK: passed
