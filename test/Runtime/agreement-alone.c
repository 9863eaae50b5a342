/* An agreement that waits for a late rank makes few system calls, and still ends soon after that rank has come. The
 * test stands in for the MPI library and for the clock, because a wait takes any time on a busy machine. */
#include "check.h"
#include "job/agreement.h"
#include "progress/library_polls.h"
#include "progress/yield.h"

#include <time.h>

enum { LATE = 100 * 1000 * 1000, CALL = 1000 /* ns */ };

static long now, begin; /* ns */
static int polls, yields;

int clock_of_test(clockid_t clock, struct timespec *time) {
  (void)clock;
  *time = (struct timespec){now / 1000000000, now % 1000000000};
  return 0;
}

int sleep_of_test(const struct timespec *pause, struct timespec *remaining) {
  (void)remaining;
  now += pause->tv_sec * 1000000000 + pause->tv_nsec + CALL;
  return 0;
}

void mpispec_yield(void) {
  ++yields;
  now += CALL;
}
unsigned long mpispec_library_yields(void) { return 0; }

int PMPI_Iallreduce(const void *mine, void *result, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm members,
                    MPI_Request *request) {
  (void)mine, (void)result, (void)count, (void)type, (void)operation, (void)members, (void)request;
  begin = now;
  return MPI_SUCCESS;
}

static int waits_yield, depth, waits;
int mpispec_library_waits_yield(void) {
  CHECK(depth == 1);
  return waits_yield;
}
void mpispec_library_enter(void) { ++depth; }
void mpispec_library_leave(void) { --depth; }

int PMPI_Wait(MPI_Request *request, MPI_Status *status) {
  (void)request, (void)status;
  CHECK(depth == 1);
  ++waits;
  return MPI_SUCCESS;
}

static long late;

int PMPI_Test(MPI_Request *request, int *done, MPI_Status *status) {
  (void)request, (void)status;
  ++polls;
  now += CALL;
  *done = now - begin >= late;
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
  CHECK(now - begin < LATE + LATE / 8);
  agree(100 * CALL);
  CHECK(yields > 40 && now - begin < 110 * CALL); /* a short wait does not sleep */

  CHECK(!waits);
  waits_yield = 1;
  agree(LATE);
  CHECK(waits == 1 && !polls && !depth);
  return passed();
}

// LABEL: core
// RUN: %mpicc -w %include -I%S %s %sources/job/agreement.c -Dclock_gettime=clock_of_test -Dnanosleep=sleep_of_test -o %t
// RUN: timeout 60 %t | FileCheck %s
// CHECK: passed
