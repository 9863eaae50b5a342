/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Waits for requests. MPI_Wait and similar functions call these functions, and so do other calls
 * that wait. They are called with the lock held. */
#ifndef MPISPEC_RUNTIME_REQUEST_WAIT_H
#define MPISPEC_RUNTIME_REQUEST_WAIT_H

#include "abi/mpi.h"
#include "p2p/request.h"

/* Called for a parked thread (progress/parking.h) that waits for the request `what`. Nonzero if the
 * request is over, or if from now on the thread itself must poll. */
int mpispec_request_is_over_for_parked(const void *what);

/* Makes progress until the request is over. */
void mpispec_request_wait(struct mpispec_request *request);

/* Called when the program begins to wait for all requests of an array. Peers of long messages can
 * read from then on that this rank waits. */
void mpispec_requests_announce_wait(int count, const MPI_Request requests[]);

/* Waits for requests of an array and completes them one after the other, from the front. Stops at a
 * request of the MPI library, at one that has failed, and at a pair or a template's Issend. Also
 * stops at a request that already has staging memory, for example a receive whose bytes are not
 * unpacked. Also stops at the first request that is not over if a request of the MPI library
 * follows it. Returns the number of completed requests. The others are unchanged. */
int mpispec_requests_wait_prefix(int count, MPI_Request requests[], MPI_Status statuses[]);

/* Whether a wait for requests of the MPI library must be a loop of tests. Otherwise the library's
 * own function may wait. */
int mpispec_foreign_wait_is_needed(void);

/* Waits for a request of the MPI library, and makes progress for the runtime's operations
 * meanwhile. */
int mpispec_foreign_wait(MPI_Request *request, MPI_Status *status);

/* Called before each test of requests that only the MPI library executes. Answers requests for room
 * now and then (room.h). Where ranks share processors, and the library does not yield in tests,
 * yields if the program waits by tests. */
void mpispec_foreign_test_begin(void);

#endif
