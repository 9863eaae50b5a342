/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gives simple receives (mpispec/contract.h) their messages, and completes them. The runtime's
 * functions call these functions, and templates call them through the state. Called with the lock
 * held, or in a process that uses no lock. */
#ifndef MPISPEC_RUNTIME_SIMPLE_RECEIVE_H
#define MPISPEC_RUNTIME_SIMPLE_RECEIVE_H

#include "abi/mpi.h"
#include "mpispec/receive.h"
#include "p2p/queues.h"
#include "p2p/receiver.h"
#include "p2p/simple_list.h"
#include "progress/lock.h"

/* The receive of a handle. Null if the index in the handle is not less than
 * mpispec_state_receives. */
static inline struct mpispec_receive *mpispec_receive_find(mpispec_handle handle) {
  const unsigned long place = mpispec_request_place(handle);
  if (place >= mpispec_state_receives)
    return 0;
  if (!mpispec_state.receive_at[place])
    __builtin_unreachable();
  return mpispec_state.receive_at[place];
}

/* The lane of a handle's simple receive. Null if the handle has no simple receive, or if its
 * receive has its message. */
static inline const struct mpispec_reader *mpispec_receive_lane(MPI_Request handle) {
  const struct mpispec_receive *receive = mpispec_receive_find((mpispec_handle)handle);
  return receive ? receive->reader : NULL;
}

/* Polls the lane of a simple receive. Returns nonzero if the receive is over. A receive that is not
 * over may no longer be simple afterwards. */
static inline __attribute__((always_inline)) int
mpispec_receive_poll(struct mpispec_receive *receive) {
  while (receive->reader) {
    if (mpispec_lane_is_empty(receive->reader))
      return 0;
    if (mpispec_receive_next(receive->reader))
      continue;
    if (!mpispec_lane_progress(receive->reader))
      return 0;
  }
  return receive->use == mpispec_receive_complete;
}

/* Nonzero if calls may complete simple receives without a lock. */
static inline int mpispec_simple_is_open(void) {
  return !mpispec_fast_path_disabled && mpispec_state.receive_at;
}

/* Nonzero for a posted receive that is not simple, for example with a wildcard or a typemap, if its
 * lane is empty. For a receive from any source, all lanes must be empty. Progress may still
 * complete such a receive. */
int mpispec_posted_is_waiting(MPI_Request handle);

/* Nonzero for a receive, simple or not, whose lane is empty. */
static inline __attribute__((always_inline)) int mpispec_has_nothing_come(MPI_Request handle) {
  return mpispec_receive_is_waiting((mpispec_handle)handle) || mpispec_posted_is_waiting(handle);
}

/* Nonzero if each request of an array is null or a simple receive whose lane is empty. At least one
 * must be a simple receive. */
static inline __attribute__((always_inline)) int
mpispec_simple_are_waiting(int count, const MPI_Request requests[]) {
  const MPI_Request *const end = requests + count;
  while (requests < end && *requests == MPI_REQUEST_NULL)
    ++requests;
  if (requests >= end)
    return 0;
  do {
    if (!mpispec_receive_is_waiting((mpispec_handle)*requests) && *requests != MPI_REQUEST_NULL)
      return 0;
  } while (++requests < end);
  return 1;
}

/* Completes a null request, mpispec_request_done, or a simple receive: sets the handle to
 * MPI_REQUEST_NULL, frees the receive, and fills in `status` unless it is null. Returns 0 if the
 * receive is not over, and for all other requests. Also returns 0 for a simple receive that is not
 * in mpispec_state.receive_at. */
int mpispec_simple_complete(mpispec_handle *handle, struct mpispec_status *status);

/* Like mpispec_simple_complete, but also sets `*flag` to 1. If the message of the receive has not
 * come, sets `*flag` to 0. Returns 0 if it can do neither. */
int mpispec_simple_test(mpispec_handle *handle, int *flag, struct mpispec_status *status);

/* Completes simple receives at the front of a nonempty array. They must be the first receives of
 * one lane, in the same order, and match the next messages of this lane. Returns the number of
 * completed receives. */
unsigned mpispec_simple_complete_row(unsigned count, mpispec_handle *handles,
                                     struct mpispec_status *statuses);

/* Completes requests at the front of an array, up to the first one for which
 * mpispec_simple_complete would return 0. Returns the number of completed requests. */
unsigned mpispec_simple_complete_prefix(unsigned count, mpispec_handle *handles,
                                        struct mpispec_status *statuses);

#endif
