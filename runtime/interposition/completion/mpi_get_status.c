/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Request_get_status_any, all and some (MPI-4.1, section 3.7.6). They return the result of
 * MPI_Testany and similar functions without completing a request. The library tests its own
 * requests in a separate array (request_array.h). This file is compiled for libraries that have
 * these functions. */
#include "interposition/completion/request_array.h"
#include "interposition/library/next.h"
#include "p2p/request.h"
#include "progress/lock.h"
#include "progress/progress.h"

#ifdef MPISPEC_HAS_MPI_4_1

enum state { NOT_OURS, INACTIVE, PENDING, COMPLETE };

/* Tests one request. If it is the runtime's and over, fills in the status. A null request counts as
 * inactive. */
static enum state test_once(MPI_Request handle, MPI_Status *status) {
  if (handle == MPI_REQUEST_NULL)
    return INACTIVE;
  if (handle == mpispec_request_done) {
    mpispec_status_set_empty(status);
    return COMPLETE;
  }
  struct mpispec_request *request = mpispec_request_find(handle);
  if (!request || !request->active)
    return request ? INACTIVE : NOT_OURS;
  if (!mpispec_request_is_over(request))
    return PENDING;
  mpispec_request_get_status(request, status);
  return COMPLETE;
}

/* Ends a call that reports a request if `found` is nonzero. `error` is that of the library's call.
 */
static int end(int found, int error) {
  if (!found && !error)
    mpispec_progress_idle();
  mpispec_unlock();
  return error;
}

int MPI_Request_get_status_any(int count, MPISPEC_CONST_REQUESTS MPI_Request requests[], int *index,
                               int *flag, MPI_Status *status) {
  const enum mpispec_array_executor executor = mpispec_array_begin(
      count, requests, index && flag && mpispec_status_is_there(status), MPISPEC_ARRAY_TEST);
  if (executor != MPISPEC_ARRAY_OURS)
    return MPISPEC_ARRAY_ELSEWHERE(executor,
                                   Request_get_status_any(count, requests, index, flag, status));
  int active = 0, found = MPI_UNDEFINED, error = MPI_SUCCESS;
  for (int i = 0; i < count && found == MPI_UNDEFINED; ++i) {
    const enum state state = test_once(requests[i], status);
    active |= state == PENDING;
    if (state == COMPLETE)
      found = i;
  }
  struct mpispec_array_part part = mpispec_array_part_open(count, requests);
  if (found == MPI_UNDEFINED && part.count) {
    int k = MPI_UNDEFINED, done = 0;
    MPISPEC_WITHOUT_LOCK(
        error = PMPI_Request_get_status_any(part.count, part.requests, &k, &done, status));
    active |= !done;
    found = done && k != MPI_UNDEFINED ? part.positions[k] : MPI_UNDEFINED;
  }
  mpispec_array_part_free(&part);
  *index = found;
  *flag = found != MPI_UNDEFINED || !active;
  if (*flag && found == MPI_UNDEFINED)
    mpispec_status_set_empty(status);
  return end(*flag, error);
}

int MPI_Request_get_status_all(int count, MPISPEC_CONST_REQUESTS MPI_Request requests[], int *flag,
                               MPI_Status statuses[]) {
  const enum mpispec_array_executor executor = mpispec_array_begin(
      count, requests, flag && mpispec_status_is_there(statuses), MPISPEC_ARRAY_TEST);
  if (executor != MPISPEC_ARRAY_OURS)
    return MPISPEC_ARRAY_ELSEWHERE(executor,
                                   Request_get_status_all(count, requests, flag, statuses));
  int all = 1, theirs = 1, error = MPI_SUCCESS;
  for (int i = 0; i < count && all; ++i) {
    MPI_Status *status = mpispec_array_status(statuses, i);
    const enum state state = test_once(requests[i], status);
    all = state != PENDING;
    if (state == INACTIVE)
      mpispec_status_set_empty(status);
  }
  struct mpispec_array_part part = mpispec_array_part_open(count, requests);
  /* The library tests its part in any case, because some requests make progress only then. */
  if (part.count)
    MPISPEC_WITHOUT_LOCK(
        error = PMPI_Request_get_status_all(part.count, part.requests, &theirs, part.statuses));
  all = all && theirs;
  for (int k = 0; all && k < part.count && statuses != MPI_STATUSES_IGNORE; ++k)
    statuses[part.positions[k]] = part.statuses[k];
  mpispec_array_part_free(&part);
  *flag = all;
  return end(all, error);
}

int MPI_Request_get_status_some(int count, MPISPEC_CONST_REQUESTS MPI_Request requests[],
                                int *found_count, int indices[], MPI_Status statuses[]) {
  const enum mpispec_array_executor executor = mpispec_array_begin(
      count, requests, found_count && indices && mpispec_status_is_there(statuses),
      MPISPEC_ARRAY_TEST);
  if (executor != MPISPEC_ARRAY_OURS)
    return MPISPEC_ARRAY_ELSEWHERE(
        executor, Request_get_status_some(count, requests, found_count, indices, statuses));
  int active = 0, found = 0, theirs = MPI_UNDEFINED, error = MPI_SUCCESS;
  for (int i = 0; i < count; ++i) {
    const enum state state = test_once(requests[i], mpispec_array_status(statuses, found));
    active |= state == PENDING || state == COMPLETE;
    if (state == COMPLETE)
      indices[found++] = i;
  }
  struct mpispec_array_part part = mpispec_array_part_open(count, requests);
  if (part.count)
    MPISPEC_WITHOUT_LOCK(error = PMPI_Request_get_status_some(part.count, part.requests, &theirs,
                                                              part.indices, part.ended_statuses));
  for (int k = 0; theirs != MPI_UNDEFINED && k < theirs; ++k) {
    indices[found] = part.positions[part.indices[k]];
    if (statuses != MPI_STATUSES_IGNORE)
      statuses[found] = part.ended_statuses[k];
    ++found;
  }
  mpispec_array_part_free(&part);
  *found_count = active || theirs != MPI_UNDEFINED ? found : MPI_UNDEFINED;
  return end(found, error);
}

#endif
