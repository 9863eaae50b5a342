/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nonblocking functions of the MPI library, and waits for them: in the library if it yields, else
 * by polls with a yield or a sleep between them. See agreement.h.
 *
 * In MPI_Init, the awaited ranks are often still in the MPI library's initialization, which takes
 * milliseconds, or seconds if many ranks share a processor. Yields until then would take the
 * processor's time. Therefore a long wait sleeps between two polls. The length of a sleep is a
 * fixed part of the time that the wait has lasted, which bounds the delay. A short wait does not
 * sleep: Linux lengthens each sleep by about 50 us. */
#include "job/agreement.h"

#include "progress/library_polls.h"
#include "progress/yield.h"

#include <time.h>

enum { AFTER = 200 * 1000, PART = 8, LONGEST = 2 * 1000 * 1000 }; /* AFTER, LONGEST: ns */

static long nanoseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 * 1000 * 1000 + now.tv_nsec;
}

void (*mpispec_agreement_while_waiting)(void);

/* Returns 0 if it has not slept. */
static int sleep_for_part(long waited) {
  if (waited < AFTER)
    return 0;
  const long part = waited / PART;
  const struct timespec pause = {0, part < LONGEST ? part : LONGEST};
  nanosleep(&pause, NULL);
  if (mpispec_agreement_while_waiting)
    mpispec_agreement_while_waiting();
  return 1;
}

/* Returns 0 if the library does not yield. Otherwise waits in it. */
static int wait_in_library(int *error, MPI_Request *request) {
  mpispec_library_enter();
  const int yields = mpispec_library_waits_yield();
  if (yields)
    *error = PMPI_Wait(request, MPI_STATUS_IGNORE);
  mpispec_library_leave();
  return yields;
}

/* Yields unless the library's poll has yielded already. One yield is enough, because each yield
 * lets all ranks run that share this processor. */
static int wait(int error, MPI_Request *request) {
  if (!error && wait_in_library(&error, request))
    return error;
  const long begin = nanoseconds_now();
  int done = error != MPI_SUCCESS;
  while (!done) {
    const unsigned long yields = mpispec_library_yields();
    error = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (error)
      return error;
    if (!done && !sleep_for_part(nanoseconds_now() - begin) && mpispec_library_yields() == yields)
      mpispec_yield();
  }
  return error;
}

int mpispec_agreement_allreduce(const void *mine, void *result, int count, MPI_Datatype datatype,
                                MPI_Op operation, MPI_Comm members) {
  MPI_Request request;
  const int error = PMPI_Iallreduce(mine, result, count, datatype, operation, members, &request);
  return wait(error, &request);
}

int mpispec_agreement_allgather(const void *mine, int bytes, void *all, MPI_Comm members) {
  MPI_Request request;
  const int error = PMPI_Iallgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, members, &request);
  return wait(error, &request);
}

int mpispec_agreement_receive(int *number, int source, int tag, MPI_Comm communicator) {
  MPI_Request request;
  const int error = PMPI_Irecv(number, 1, MPI_INT, source, tag, communicator, &request);
  return wait(error, &request);
}
