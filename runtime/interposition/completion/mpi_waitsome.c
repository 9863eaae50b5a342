/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Waitsome and MPI_Testsome, for arrays that mix requests of the runtime and of the MPI
 * library. See mpi_waitany.c. */
#include "interposition/completion/request_array.h"
#include "interposition/library/next.h"
#include "job/node.h"
#include "mpispec/machine.h"
#include "p2p/completion.h"
#include "p2p/request.h"
#include "p2p/simple_receive.h"
#include "profile/profile.h"
#include "progress/helper.h"
#include "progress/lock.h"
#include "progress/progress.h"

struct some {
  int active, found, failed, raised;
  int others;                        /* requests other than receives with an empty lane */
  int theirs;                        /* nonzero if the array has requests of the library */
  int received;                      /* simple receives that were completed in rows */
  const struct mpispec_reader *lane; /* of the only one of them, or null */
};

/* Finishes a request if it is over, otherwise returns 0. */
static inline int finish_one(MPI_Request *handle, struct mpispec_request *request,
                             MPI_Status *status, int *error, int *progressed) {
  *error = MPI_SUCCESS;
  if (!mpispec_request_is_over(request)) {
    if (request->receive.reader)
      return 0;
    if (!*progressed)
      mpispec_progress();
    *progressed = 1;
    if (!mpispec_request_is_over(request))
      return 0;
  }
  *error = mpispec_array_finish(handle, status);
  return 1;
}

/* Completes adjacent simple receives from index `first` on. Returns the number of completed
 * receives. */
static inline int finish_row(int first, int most, MPI_Request requests[], int indices[],
                             MPI_Status statuses[], struct some *some) {
  MPI_Status *begin = mpispec_array_status(statuses, some->found);
  const struct mpispec_reader *const lane =
      some->received ? NULL : mpispec_receive_lane(requests[first]);
  const int row = (int)mpispec_simple_complete_row(
      (unsigned)most, mpispec_request_words(requests + first), mpispec_status_wanted(begin));
  int *const places = indices + some->found;
  for (int i = 0; i < row; ++i)
    places[i] = first + i;
  for (int i = 0; i < row && statuses != MPI_STATUSES_IGNORE; ++i)
    begin[i].MPI_ERROR = MPI_SUCCESS;
  some->received += row;
  if (row)
    some->lane = some->received == 1 ? lane : NULL;
  some->found += row;
  some->active |= row;
  return row;
}

static void finish_ours(int count, MPI_Request requests[], int indices[], MPI_Status statuses[],
                        struct some *some) {
  int progressed = 0;
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL)
      continue;
    if (mpispec_has_nothing_come(requests[i])) {
      some->active = 1;
      continue;
    }
    const int row = finish_row(i, count - i, requests, indices, statuses, some);
    if (row) {
      i += row - 1;
      continue;
    }
    some->others = 1;
    struct mpispec_request *request = mpispec_request_find(requests[i]);
    MPI_Status *status = mpispec_array_status(statuses, some->found);
    int error = MPI_SUCCESS;
    if (!request && requests[i] != mpispec_request_done) {
      some->theirs = 1;
      continue;
    }
    if (request && !request->active)
      continue;
    some->active = 1;
    if (!request)
      mpispec_array_finish(&requests[i], status);
    else if (!finish_one(&requests[i], request, status, &error, &progressed))
      continue;
    mpispec_array_store_error(status, error);
    some->failed |= error != MPI_SUCCESS;
    indices[some->found++] = i;
  }
}

static void finish_theirs(int count, MPI_Request requests[], int indices[], MPI_Status statuses[],
                          struct some *some) {
  struct mpispec_array_part part = mpispec_array_part_open(count, requests);
  int found = MPI_UNDEFINED;
  if (part.count)
    MPISPEC_WITHOUT_LOCK(some->raised = PMPI_Testsome(part.count, part.requests, &found,
                                                      part.indices, part.statuses));
  some->active |= found != MPI_UNDEFINED;
  for (int k = 0; found != MPI_UNDEFINED && k < found; ++k) {
    MPI_Status *status = mpispec_array_status(statuses, some->found);
    if (status != MPI_STATUS_IGNORE)
      *status = part.statuses[k];
    if (some->raised != MPI_ERR_IN_STATUS)
      mpispec_array_store_error(status, MPI_SUCCESS);
    indices[some->found++] = part.positions[part.indices[k]];
  }
  some->failed |= some->raised != MPI_SUCCESS;
  mpispec_array_part_close(&part, requests);
}

/* Tests all requests once. Returns nonzero if some are over, if none is active, or after an error.
 * If none is active, `*found` is MPI_UNDEFINED. */
static int look_for_some(int count, MPI_Request requests[], int *found, int indices[],
                         MPI_Status statuses[], struct some *some) {
  *some = (struct some){0};
  finish_ours(count, requests, indices, statuses, some);
  if (some->theirs)
    finish_theirs(count, requests, indices, statuses, some);
  *found = some->active ? some->found : MPI_UNDEFINED;
  return some->found || some->failed || !some->active;
}

static int end_some(const struct some *some) {
  if (some->raised && some->raised != MPI_ERR_IN_STATUS)
    return some->raised; /* an invalid handle */
  return mpispec_array_raise(some->failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS, some->raised);
}

int MPI_Waitsome(int count, MPI_Request requests[], int *found, int indices[],
                 MPI_Status statuses[]) {
  MPISPEC_GATE(Waitsome, count, requests, found, indices, statuses);
  struct some some;
  const enum mpispec_array_executor executor = mpispec_array_begin(
      count, requests, found && indices && mpispec_status_is_there(statuses), MPISPEC_ARRAY_WAIT);
  if (executor != MPISPEC_ARRAY_OURS)
    return MPISPEC_ALONE_IN_LIBRARY(
        MPISPEC_ARRAY_ELSEWHERE(executor, Waitsome(count, requests, found, indices, statuses)));
  struct mpispec_array_wait wait = {0};
  for (unsigned round = 0; !look_for_some(count, requests, found, indices, statuses, &some);
       ++round) {
    mpispec_progress();
    mpispec_array_backoff(count, requests, round, &wait);
  }
  if (some.lane) /* a sender of several messages mostly sends on before it waits for an answer */
    mpispec_lane_prefetch_answer(some.lane);
  mpispec_unlock();
  return end_some(&some);
}

static __attribute__((noinline)) int long_Testsome(int count, MPI_Request requests[], int *found,
                                                   int indices[], MPI_Status statuses[]) {
  MPISPEC_GATE(Testsome, count, requests, found, indices, statuses);
  struct some some;
  const enum mpispec_array_executor executor = mpispec_array_begin(
      count, requests, found && indices && mpispec_status_is_there(statuses), MPISPEC_ARRAY_LOOK);
  if (executor != MPISPEC_ARRAY_OURS)
    return MPISPEC_ARRAY_ELSEWHERE(executor, Testsome(count, requests, found, indices, statuses));
  const int is_over = look_for_some(count, requests, found, indices, statuses, &some);
  if (!is_over && some.others) {
    mpispec_progress();
    mpispec_progress_idle();
  } else if (!is_over) {
    mpispec_progress_note_empty_poll();
  }
  mpispec_unlock();
  return end_some(&some);
}

static __attribute__((noinline)) int biased_Testsome(int count, MPI_Request requests[], int *found,
                                                     int indices[], MPI_Status statuses[]) {
  if (!requests || !found || !indices || !mpispec_status_is_there(statuses) ||
      !mpispec_array_is_waiting(count, requests))
    MPISPEC_JUMP long_Testsome(count, requests, found, indices, statuses);
  *found = 0;
  return MPI_SUCCESS;
}

int MPI_Testsome(int count, MPI_Request requests[], int *found, int indices[],
                 MPI_Status statuses[]) {
  if (requests && mpispec_simple_is_open() && mpispec_simple_are_waiting(count, requests) &&
      found && indices && mpispec_status_is_there(statuses)) {
    mpispec_progress_note_empty_poll();
    *found = 0;
    return MPI_SUCCESS;
  }
  if (__builtin_expect(mpispec_fast_path_disabled, 0))
    MPISPEC_JUMP biased_Testsome(count, requests, found, indices, statuses);
  MPISPEC_JUMP long_Testsome(count, requests, found, indices, statuses);
}
