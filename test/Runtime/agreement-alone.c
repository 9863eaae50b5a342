/* An agreement that waits for a late rank makes few system calls, and still ends soon after that rank has come. The
 * test stands in for the MPI library. */
#define _GNU_SOURCE
#include "check.h"
#include "job/agreement.h"
#include "progress/library_polls.h"
#include "progress/yield.h"

#include <time.h>

enum { LATE = 100 * 1000 * 1000 /* ns */ };

static long begin;
static int polls, yields;

static long nanoseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 * 1000 * 1000 + now.tv_nsec;
}

void mpispec_yield(void) { ++yields; }
unsigned long mpispec_library_yields(void) { return 0; }

int PMPI_Iallreduce(const void *mine, void *result, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm members,
                    MPI_Request *request) {
  (void)mine, (void)result, (void)count, (void)type, (void)operation, (void)members, (void)request;
  begin = nanoseconds_now();
  return MPI_SUCCESS;
}

static long late;

int PMPI_Test(MPI_Request *request, int *done, MPI_Status *status) {
  (void)request, (void)status;
  ++polls;
  *done = nanoseconds_now() - begin >= late;
  return MPI_SUCCESS;
}

static void agree(long after) {
  int mine = 1, all;
  late = after;
  polls = yields = 0;
  CHECK(!mpispec_agreement_allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
}

int main(void) {
  agree(0);
  CHECK(polls == 1 && yields == 0);
  agree(LATE);
  CHECK(polls > yields && polls < 250);
  CHECK(nanoseconds_now() - begin < 3L * LATE); /* the machine may be busy */
  return passed();
}

// LABEL: core
// RUN: %mpicc -w %include -I%S %s %sources/job/agreement.c -o %t
// RUN: timeout 60 %t | FileCheck %s
// CHECK: passed
