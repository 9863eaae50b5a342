/* Waits that the runtime leaves to the MPI library count as blocking: a rank that shares its processor soon yields in
 * them. Tests do not count. The library calls a function of the program in each wait; that function reports polls in
 * vain. */
// LABEL: core
#include "check.h"
#include "progress/library_polls.h"
#include "progress/oversubscription.h"
#include "progress/tuning.h"

#include <mpi.h>

enum { POLLS = 3 };
static unsigned long yields;

static void poll_in_vain(void) {
  const unsigned long before = mpispec_library_yields();
  mpispec_library_polled(1);
  for (int i = 0; i < MPISPEC_EMPTY_POLLS + POLLS; ++i)
    mpispec_library_polled(0);
  yields = mpispec_library_yields() - before;
}

static int query(void *unused, MPI_Status *status) {
  (void)unused;
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = status->MPI_TAG = 0;
  poll_in_vain();
  return MPI_SUCCESS;
}

static int let_go(void *unused) { return unused ? MPI_ERR_OTHER : MPI_SUCCESS; }

static int cancel(void *unused, int is_complete) {
  (void)unused, (void)is_complete;
  return MPI_SUCCESS;
}

static MPI_Request complete(void) {
  MPI_Request request;
  MPI_Grequest_start(query, let_go, cancel, NULL, &request);
  MPI_Grequest_complete(request);
  yields = POLLS + 1;
  return request;
}

/* While the call was in the library, and afterwards. */
static void check(int blocks) {
  CHECK(yields == (blocks ? POLLS : 0));
  poll_in_vain();
  CHECK(!yields);
}

static void check_waits(int blocks) {
  MPI_Request request = complete();
  int index, count;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check(blocks);
  request = complete();
  MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  check(blocks);
  request = complete();
  MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
  check(blocks);
  request = complete();
  MPI_Waitsome(1, &request, &count, &index, MPI_STATUSES_IGNORE);
  check(blocks);
}

static void check_tests(void) {
  MPI_Request request = complete();
  int index, count, flag;
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  check(0);
  request = complete();
  MPI_Testall(1, &request, &flag, MPI_STATUSES_IGNORE);
  check(0);
  request = complete();
  MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE);
  check(0);
  request = complete();
  MPI_Testsome(1, &request, &count, &index, MPI_STATUSES_IGNORE);
  check(0);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  mpispec_oversubscription_open(1, NULL); /* shares its processor, whatever its yields show */
  mpispec_library_enter();
  poll_in_vain(); /* a library that has reported none waits by tests: Intel MPI with libfabric inside */
  mpispec_library_leave();
  check_waits(1);
  check_tests();
  mpispec_oversubscription_open(0, NULL);
  check_waits(0);
  MPI_Finalize();
  return rank ? 0 : passed();
}

// RUN: %mpicc %include -I%S %s -o %t %runtime
// RUN: %mpirun -n 2 %t | FileCheck %s
// CHECK: passed
