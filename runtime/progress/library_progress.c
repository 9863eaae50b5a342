/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See library_progress.h. */
#include "progress/library_progress.h"

#include "progress/library_polls.h"
#include "progress/lock.h"

#include <stddef.h>

/* A receive that is never matched, on a communicator that only this file uses. A test of it makes
 * the library poll all that it has under way. (MPI_Iprobe on MPI_COMM_SELF does not, in MPICH.) */
static MPI_Comm own = MPI_COMM_NULL;
static MPI_Request endless = MPI_REQUEST_NULL;

uint64_t mpispec_library_progress_at;

void mpispec_library_progress_open(void) {
  PMPI_Comm_dup(MPI_COMM_SELF, &own);
  PMPI_Irecv(NULL, 0, MPI_BYTE, 0, 0, own, &endless);
}

void mpispec_library_progress_close(void) {
  PMPI_Cancel(&endless);
  PMPI_Wait(&endless, MPI_STATUS_IGNORE);
  PMPI_Comm_free(&own);
}

/* Several threads may test the request at the same time. Libraries only read it, because it is
 * never over. */
static void poll_library(int releases) {
  int done;
  mpispec_library_progress_at = mpispec_ticks();
  if (endless == MPI_REQUEST_NULL)
    return;
  const _Bool was_on = mpispec_library_yields_off();
  if (releases)
    mpispec_lock_release();
  PMPI_Test(&endless, &done, MPI_STATUS_IGNORE);
  if (releases)
    mpispec_lock_acquire();
  mpispec_library_yields_restore(was_on);
}

void mpispec_library_progress(void) {
  poll_library(mpispec_lock_is_shared() && mpispec_lock_can_be_released());
}

void mpispec_library_progress_with_lock(void) { poll_library(0); }

/* MPI_Testall completes no request unless all are over. Therefore the function tests the request
 * together with one that is never over. If a request has failed, MPI_Testall of MPICH completes all
 * requests that are over. (MPI_Request_get_status of MPICH 5 changes requests of some kinds.) */
int mpispec_library_progress_of(MPI_Request *request, MPI_Status *status) {
  MPI_Request both[] = {*request, endless};
  MPI_Status statuses[2];
  int done = 0;
  if (endless == MPI_REQUEST_NULL || PMPI_Testall(2, both, &done, statuses) != MPI_ERR_IN_STATUS)
    return MPI_SUCCESS;
  *request = both[0];
  *status = statuses[0];
  return status->MPI_ERROR;
}
