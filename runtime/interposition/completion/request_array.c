/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See request_array.h. */
#include "interposition/completion/request_array.h"

#include "job/memory.h"
#include "p2p/completion.h"
#include "p2p/ended_peers.h"
#include "p2p/request.h"
#include "p2p/request_wait.h"
#include "p2p/simple_receive.h"
#include "progress/doorbell.h"
#include "progress/library_progress.h"
#include "progress/lock.h"
#include "progress/origin.h"
#include "progress/progress.h"
#include "progress/tuning.h"

#include <assert.h>
#include <stdlib.h>

static enum mpispec_array_executor executor_of(int count, const MPI_Request requests[],
                                               int is_complete, int waits) {
  int ours = 0;
  for (int i = 0; requests && i < count && !ours; ++i)
    ours = requests[i] != MPI_REQUEST_NULL && mpispec_request_is_ours(requests[i]);
  if (!is_complete)
    return ours ? MPISPEC_ARRAY_LACKING : MPISPEC_ARRAY_THEIRS;
  const int busy = count > 0 && requests &&
                   (waits ? mpispec_foreign_wait_is_needed() : mpispec_progress_is_needed());
  return ours || busy ? MPISPEC_ARRAY_OURS : MPISPEC_ARRAY_THEIRS;
}

enum mpispec_array_executor mpispec_array_begin(int count, const MPI_Request requests[],
                                                int is_complete, enum mpispec_array_call call) {
  mpispec_lock();
  if (call == MPISPEC_ARRAY_TEST)
    mpispec_progress();
  const enum mpispec_array_executor executor =
      executor_of(count, requests, is_complete, call != MPISPEC_ARRAY_TEST);
  if (call != MPISPEC_ARRAY_WAIT)
    mpispec_origin_note_test();
  if (executor == MPISPEC_ARRAY_OURS)
    return executor;
  if (call == MPISPEC_ARRAY_LOOK)
    mpispec_progress();
  if (call != MPISPEC_ARRAY_WAIT)
    mpispec_foreign_test_begin();
  mpispec_unlock();
  return executor;
}

/* Nonzero if each request is null or a receive for which nothing has come, and one is a receive. */
static int has_nothing_come(int count, const MPI_Request requests[]) {
  int receives = 0;
  for (int i = 0; i < count; ++i)
    if (requests[i] != MPI_REQUEST_NULL) {
      if (!mpispec_has_nothing_come(requests[i]))
        return 0;
      receives = 1;
    }
  return receives;
}

int mpispec_array_is_waiting(int count, const MPI_Request requests[]) {
  if (!mpispec_state.receive_at || !mpispec_lock_enter())
    return 0;
  const int waiting = has_nothing_come(count, requests) && mpispec_progress_may_skip_round();
  mpispec_biased_lock_leave();
  return waiting;
}

void mpispec_array_note_vain_test(int count, const MPI_Request requests[]) {
  if (has_nothing_come(count, requests))
    mpispec_progress_note_empty_poll();
  else
    mpispec_progress_idle();
}

/* Nonzero if one of these requests waits for the MPI library's progress. */
static int awaits_library(int count, const MPI_Request requests[]) {
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL || requests[i] == mpispec_request_done)
      continue;
    const struct mpispec_request *request = mpispec_request_find(requests[i]);
    if (!request || mpispec_request_awaits_library(request))
      return 1;
  }
  return 0;
}

struct array {
  int count;
  const MPI_Request *requests;
};

static int any_is_over_for_parked(const void *what) {
  const struct array *array = what;
  for (int i = 0; i < array->count; ++i) {
    const struct mpispec_request *request = mpispec_request_find(array->requests[i]);
    if (request && request->active && mpispec_request_is_over_for_parked(request))
      return 1;
  }
  return 0;
}

void mpispec_array_backoff(int count, const MPI_Request requests[], unsigned round,
                           struct mpispec_array_wait *wait) {
  const struct array array = {wait->for_first ? 1 : count, requests};
  /* Each release of the lock tests the requests of all parked threads. Therefore a thread that
   * waits for any of many requests does not park. */
  const int are_few = wait->for_first || count <= MPISPEC_PARKED_REQUESTS;
  const int parks = mpispec_may_park(round) && are_few;
  wait->awaited.is_over = any_is_over_for_parked;
  wait->awaited.what = &array;
  if (!(parks || mpispec_doorbells_used))
    mpispec_wait_backoff(round);
  else if (wait->for_library || awaits_library(count, requests))
    mpispec_wait_backoff_for_library(round);
  else if (parks)
    mpispec_wait_or_park(round, &wait->awaited);
  else
    mpispec_wait_backoff_or_sleep(round, are_few ? &wait->awaited : NULL);
  if (mpispec_vigil_is_due_in(&wait->vigil, round))
    mpispec_requests_check_peers(count, requests);
}

static int is_in_part(MPI_Request handle) {
  return handle != MPI_REQUEST_NULL && !mpispec_request_is_ours(handle);
}

struct mpispec_array_part mpispec_array_part_open(int count, const MPI_Request requests[]) {
  struct mpispec_array_part part = {0};
  int first = 0;
  while (first < count && !is_in_part(requests[first]))
    ++first;
  if (first == count)
    return part;
  static_assert(sizeof(MPI_Request) % _Alignof(MPI_Status) == 0, "statuses follow requests");
  const size_t room = (size_t)(count - first);
  part.requests = mpispec_check_allocation(
      malloc(2 * room * (sizeof(MPI_Request) + sizeof(MPI_Status) + sizeof(int))));
  part.left = part.requests + room;
  part.statuses = (MPI_Status *)(part.left + room);
  part.ended_statuses = part.statuses + room;
  part.positions = (int *)(part.ended_statuses + room);
  part.indices = part.positions + room;
  for (int i = first; i < count; ++i)
    if (is_in_part(requests[i])) {
      part.requests[part.count] = part.left[part.count] = requests[i];
      mpispec_status_set_empty(&part.statuses[part.count]);
      part.positions[part.count++] = i;
    }
  return part;
}

void mpispec_array_part_close(struct mpispec_array_part *part, MPI_Request requests[]) {
  for (int i = 0; i < part->count; ++i)
    requests[part->positions[i]] = part->requests[i];
  mpispec_array_part_free(part);
}

void mpispec_array_part_free(struct mpispec_array_part *part) { free(part->requests); }

/* A request that has ended is not tested again. Intel MPI would report the end of a persistent
 * receive from MPI_PROC_NULL at each test. */
int mpispec_array_part_end_some(struct mpispec_array_part *part, int *error) {
  int found = MPI_UNDEFINED, failed = MPI_SUCCESS;
  if (part->count)
    MPISPEC_WITHOUT_LOCK(failed = PMPI_Testsome(part->count, part->left, &found, part->indices,
                                                part->ended_statuses));
  if (failed)
    *error = failed;
  for (int i = 0; i < found; ++i) {
    const int ended = part->indices[i];
    MPI_Status *status = &part->statuses[ended];
    part->requests[ended] = part->left[ended];
    part->left[ended] = MPI_REQUEST_NULL;
    *status = part->ended_statuses[i];
    if (!failed)
      status->MPI_ERROR = MPI_SUCCESS;
  }
  return found == MPI_UNDEFINED || (failed && failed != MPI_ERR_IN_STATUS);
}

int mpispec_array_part_progress(struct mpispec_array_part *part, int *error) {
  int k = 0;
  while (k < part->count &&
         !(*error = mpispec_library_progress_of(&part->requests[k], &part->statuses[k])))
    ++k;
  return k;
}

/* --- one of an array ---------------------------------------------------------------------------*/

int mpispec_array_finish(MPI_Request *handle, MPI_Status *status) {
  struct mpispec_request *request = mpispec_request_find(*handle);
  if (request && !request->active) {
    mpispec_status_set_empty(status);
    return MPI_SUCCESS;
  }
  if (!request || !request->persistent)
    *handle = MPI_REQUEST_NULL;
  if (request)
    return mpispec_request_finish(request, status);
  mpispec_status_set_empty(status);
  return MPI_SUCCESS;
}

int mpispec_array_raise(int error, int already) {
  if (error && !already)
    mpispec_raise(MPI_COMM_WORLD, error);
  return error;
}

int mpispec_array_lacking(void) { return mpispec_raise(MPI_COMM_WORLD, MPI_ERR_ARG); }
