/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arrays that mix requests of the runtime and of the MPI library. The functions determine which of
 * the two executes a call with an array, and copy the library's part of it. The library tests all
 * requests of this copy in one call. Afterwards they are copied back to the array. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_REQUEST_ARRAY_H
#define MPISPEC_RUNTIME_INTERPOSITION_REQUEST_ARRAY_H

#include "abi/mpi.h"
#include "p2p/completion.h"
#include "progress/parking.h"
#include "shm/liveness.h"

enum mpispec_array_executor {
  MPISPEC_ARRAY_OURS,   /* the runtime executes the call: the array has a request of the runtime,
                           other ranks may need this rank's progress, or a wait may have to wake
                           targets of one-sided operations (progress/origin.h) */
  MPISPEC_ARRAY_THEIRS, /* the library executes the call, even if its arguments are wrong */
  MPISPEC_ARRAY_LACKING /* an argument is null, and the library cannot read all handles */
};

enum mpispec_array_call {
  MPISPEC_ARRAY_WAIT,
  MPISPEC_ARRAY_TEST,
  MPISPEC_ARRAY_LOOK /* a test that makes progress itself where it is MPISPEC_ARRAY_OURS */
};

/* Begins a call with an array of requests: takes the lock, and makes progress for a test. Then
 * decides whether the runtime or the library executes the call. The lock is held afterwards only
 * for MPISPEC_ARRAY_OURS. `is_complete` is nonzero if none of the call's other pointers is null. */
enum mpispec_array_executor mpispec_array_begin(int count, const MPI_Request requests[],
                                                int is_complete, enum mpispec_array_call call);

/* For a test in a process whose calls acquire the lock. Returns nonzero if all requests are null or
 * receives for which nothing has come, and no progress is due. Then the test has used up one of the
 * budget of polls that find nothing. Returns 0 if the lock is not biased to this thread. */
int mpispec_array_is_waiting(int count, const MPI_Request requests[]);

/* Called by a test that has found nothing, with the lock held. */
void mpispec_array_note_vain_test(int count, const MPI_Request requests[]);

/* The result of a call that the runtime does not execute. CALL is the library's function. */
#define MPISPEC_ARRAY_ELSEWHERE(OWNER, CALL)                                                       \
  ((OWNER) == MPISPEC_ARRAY_LACKING ? mpispec_array_lacking() : mpispec_next.CALL)

struct mpispec_array_part {
  int count;
  MPI_Request *requests; /* one allocation with all other arrays */
  MPI_Request *left;     /* requests that are not complete; null for the others */
  int *positions;        /* indices in the whole array */
  MPI_Status *statuses;
  int *indices;               /* indices of the requests that one test has ended */
  MPI_Status *ended_statuses; /* the statuses of these requests */
};

struct mpispec_array_part mpispec_array_part_open(int count, const MPI_Request requests[]);
void mpispec_array_part_close(struct mpispec_array_part *part, MPI_Request requests[]);
void mpispec_array_part_free(struct mpispec_array_part *part); /* copies nothing back */

/* Ends requests of the part that are over, and stores their statuses. Stores an error of the test
 * in `*error`: MPI_ERR_IN_STATUS if a request has failed, or another class, for example for an
 * invalid handle. Returns nonzero if no request is left, or after an error of another class.
 * MPI_Waitall calls this function instead of PMPI_Testall, because MPICH's PMPI_Testall fails for
 * partitioned requests. */
int mpispec_array_part_end_some(struct mpispec_array_part *part, int *error);

/* Makes progress with the requests of the part, up to the first one that has failed. Completes this
 * request, stores its error in `*error`, and returns its position in the part. If none has failed,
 * completes none and stores no error. */
int mpispec_array_part_progress(struct mpispec_array_part *part, int *error);

/* --- one of an array ---------------------------------------------------------------------------*/

static inline void mpispec_array_store_error(MPI_Status *status, int error) {
  if (status != MPI_STATUS_IGNORE)
    status->MPI_ERROR = error;
}

static inline int mpispec_array_is_over(MPI_Request handle) {
  struct mpispec_request *request = mpispec_request_find(handle);
  return !request || !request->active || mpispec_request_is_over(request);
}

/* One wait for an array, from its first poll to its end. If `for_first` is nonzero, each call of
 * mpispec_array_backoff waits for the first request of its array, else for any of them. The other
 * members are initially zero. */
struct mpispec_array_wait {
  int for_first;
  int for_library; /* the call also waits for requests of the MPI library */
  struct mpispec_awaited awaited;
  struct mpispec_vigil vigil;
};

/* Called between two polls of a call that waits for an array. Like mpispec_wait_or_park, but the
 * thread neither parks nor sleeps if a request waits for the MPI library's progress, or if
 * `wait->for_library` is nonzero. A wait for any of more than MPISPEC_PARKED_REQUESTS requests does
 * not park, either. Ends requests whose peers have ended. */
void mpispec_array_backoff(int count, const MPI_Request requests[], unsigned round,
                           struct mpispec_array_wait *wait);

/* Finishes a request of the runtime that is over or inactive. */
int mpispec_array_finish(MPI_Request *handle, MPI_Status *status);

/* Calls the error handler of MPI_COMM_WORLD unless the library has done so already. */
int mpispec_array_raise(int error, int already);

/* Calls the error handler for MPISPEC_ARRAY_LACKING, and returns the error. */
int mpispec_array_lacking(void);

#endif
