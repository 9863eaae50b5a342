/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Completion: from a message whose bytes have arrived to the status that the program reads.
 *
 * MPI_Wait and similar functions call these functions, and so do other calls that wait.
 * All functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_COMPLETION_H
#define MPISPEC_RUNTIME_COMPLETION_H

#include "abi/mpi.h"
#include "p2p/request.h"

/* Is the operation over? If it is the MPI library's, the library is called. Makes no progress. */
int mpispec_request_is_over(struct mpispec_request *request);

/* Does it wait for the MPI library's progress? Then no rank rings when it is over. */
int mpispec_request_awaits_library(const struct mpispec_request *request);

/* For a parked thread (progress/parking.h): is the request, `what`, over, or does it need this
 * thread's polls from now on? */
int mpispec_request_is_over_for_parked(const void *what);

/* Makes progress until it is. */
void mpispec_request_wait(struct mpispec_request *request);

/* Called when the program begins to wait for all requests of an array. */
void mpispec_requests_attend(int count, const MPI_Request requests[]);

/* Waits for requests of an array and completes them, from the front on. Stops at a request that has
 * failed, or that needs more at its end than a status. Returns how many; the rest is as it was. */
int mpispec_requests_wait_prefix(int count, MPI_Request requests[], MPI_Status statuses[]);

/* The status of one request of an array, and those behind it. */
static inline MPI_Status *mpispec_array_status(MPI_Status statuses[], int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

/* Completes the request for the program: unpacks, and fills `status` unless it is
 * MPI_STATUS_IGNORE. Deletes the request, or makes it inactive if it is persistent. Returns its
 * error class, and raises no error. */
int mpispec_request_finish(struct mpispec_request *request, MPI_Status *status);

/* The status of a request of ours that is over, which stays as it is. */
void mpispec_request_get_status(const struct mpispec_request *request, MPI_Status *status);

/* Hands an error to the communicator's handler, and returns it. The lock is not held. */
int mpispec_raise(MPI_Comm communicator, int error);

/* Waits for a request of the MPI library while our own progress goes on. */
int mpispec_foreign_wait(MPI_Request *request, MPI_Status *status);

/* The program gave up its handle of an active request: it finishes by itself. */
void mpispec_request_release(struct mpispec_request *request);

/* Finishes released requests that are over. Part of progress, on the program's thread. */
void mpispec_requests_reap(void);
extern size_t mpispec_requests_released; /* the number of those that are left */

/* The status of a null or inactive request. */
void mpispec_status_set_empty(MPI_Status *status);

#endif
