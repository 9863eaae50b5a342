/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Completion of requests: tests them, waits for them, and fills in the statuses that the program
 * reads.
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

/* Nonzero if the operation is in the MPI library. No doorbell (progress/doorbell.h) rings when the
 * operation is over. */
int mpispec_request_awaits_library(const struct mpispec_request *request);

/* Called for a parked thread (progress/parking.h) that waits for the request `what`. Nonzero if the
 * request is over, or if from now on the thread itself must poll. */
int mpispec_request_is_over_for_parked(const void *what);

/* Makes progress until the request is over. */
void mpispec_request_wait(struct mpispec_request *request);

/* Called when the program begins to wait for all requests of an array. Peers of long messages can
 * read from then on that this rank waits. */
void mpispec_requests_attend(int count, const MPI_Request requests[]);

/* Waits for requests of an array and completes them one after the other, from the front. Stops at a
 * request of the MPI library, at one that has failed, and at one whose completion takes more than
 * filling in a status. Also stops at the first request that is not over if a request of the MPI
 * library follows it. Returns the number of completed requests. The others are unchanged. */
int mpispec_requests_wait_prefix(int count, MPI_Request requests[], MPI_Status statuses[]);

/* The address of status `i`, or MPI_STATUS_IGNORE. */
static inline MPI_Status *mpispec_array_status(MPI_Status statuses[], int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

/* Completes the request for the program: unpacks its bytes, and fills in `status` unless that is
 * MPI_STATUS_IGNORE. Deletes the request, or makes it inactive if it is persistent. Returns its
 * error class, and calls no error handler. */
int mpispec_request_finish(struct mpispec_request *request, MPI_Status *status);

/* Fills in the status of a request of the runtime that is over. The request does not change. */
void mpispec_request_get_status(const struct mpispec_request *request, MPI_Status *status);

/* Calls the error handler of the communicator, and returns `error`. Called without the lock. */
int mpispec_raise(MPI_Comm communicator, int error);

/* Waits for a request of the MPI library, and makes progress for the runtime's operations
 * meanwhile. */
int mpispec_foreign_wait(MPI_Request *request, MPI_Status *status);

/* Called when the program frees the handle of an active request. The runtime finishes the request
 * when it is over. */
void mpispec_request_release(struct mpispec_request *request);

/* Finishes released requests that are over. A part of progress that only threads of the program
 * execute, and not the helper. */
void mpispec_requests_reap(void);
extern size_t mpispec_requests_released; /* number of released requests in its list */

/* The status of a null or inactive request. */
void mpispec_status_set_empty(MPI_Status *status);

#endif
