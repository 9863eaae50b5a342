/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Completion of requests: tests them, ends them, and fills in the statuses that the program reads.
 *
 * MPI_Wait and similar functions call these functions, and so do other calls that wait. All
 * functions except mpispec_raise are called with the lock held. */
#ifndef MPISPEC_RUNTIME_COMPLETION_H
#define MPISPEC_RUNTIME_COMPLETION_H

#include "abi/mpi.h"
#include "p2p/request.h"

/* Nonzero if the operation is over. Polls the lane of a simple receive (request.h), and calls
 * PMPI_Test if the MPI library executes the operation. The caller makes all other progress. */
int mpispec_request_is_over(struct mpispec_request *request);

/* Nonzero if the MPI library executes the operation, or may execute one half of a pair. No doorbell
 * (progress/doorbell.h) rings when the MPI library completes an operation. */
int mpispec_request_awaits_library(const struct mpispec_request *request);

/* The address of status `i`, or MPI_STATUS_IGNORE. */
static inline MPI_Status *mpispec_array_status(MPI_Status statuses[], int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

/* Completes the request for the program: unpacks its bytes, and fills in `status` unless it is
 * MPI_STATUS_IGNORE. Deletes the request, or makes it inactive if it is persistent. Returns its
 * error class, or the error code of the MPI library, and calls no error handler. */
int mpispec_request_finish(struct mpispec_request *request, MPI_Status *status);

/* Fills in the status of a request of the runtime that is over, unless it is MPI_STATUS_IGNORE. The
 * bytes of a receive are in the program's buffer then. The request stays. */
void mpispec_request_get_status(struct mpispec_request *request, MPI_Status *status);

/* Calls the error handler of the communicator, and returns `error`. Called without the lock. */
int mpispec_raise(MPI_Comm communicator, int error);

/* Called when the program frees the handle of an active request. The runtime finishes the request
 * when it is over. */
void mpispec_request_release(struct mpispec_request *request);

/* Finishes released requests that are over. Only threads of the program execute this part of
 * progress, and not the helper thread (progress/helper.h). */
void mpispec_requests_reap(void);
extern size_t mpispec_requests_released; /* requests that mpispec_requests_reap must finish */

/* The status of a null or inactive request. */
void mpispec_status_set_empty(MPI_Status *status);

#endif
