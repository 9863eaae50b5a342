/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a request ends. See completion.h. */
#include "p2p/completion.h"

#include "comm/communicator.h"
#include "datatype/datatype.h"
#include "job/memory.h"
#include "mpispec/machine.h"
#include "mpispec/message.h"
#include "p2p/ended_peers.h"
#include "p2p/rendezvous.h"
#include "p2p/request.h"
#include "p2p/simple_receive.h"
#include "progress/lock.h"
#include "progress/parking.h"
#include "progress/progress.h"
#include "shm/liveness.h"

#include <stdlib.h>

void mpispec_status_set_empty(MPI_Status *status) {
  mpispec_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, 0);
}

/* --- is it over? -------------------------------------------------------------------------------*/

static int library_is_done(struct mpispec_request *request) {
  int done;
  const int error = PMPI_Test(&request->foreign[0], &done, &request->status);
  if (!done && !error)
    return 0;
  request->in_library = 0;
  if (!request->has_library_part) {
    request->result.error = error;
    request->raised = error != MPI_SUCCESS;
  } else if (error && !request->result.error) {
    request->result.error = error; /* no handler has been called */
  }
  if (request->adoption)
    mpispec_communicator_adopt_now(request->adoption, error);
  request->adoption = NULL;
  return request->complete = 1;
}

/* Nonzero if one half of a pair is over. Only the second half, the receive, has a status that the
 * program reads. */
static int half_is_over(struct mpispec_request *pair, int half) {
  MPI_Request *handle = &pair->foreign[half];
  MPI_Status *status = half ? &pair->status : MPI_STATUS_IGNORE;
  int over = 1, error = MPI_SUCCESS;
  if (*handle == MPI_REQUEST_NULL)
    return 1;
  struct mpispec_request *ours = mpispec_request_find(*handle);
  if (!ours && *handle != mpispec_request_done)
    error = PMPI_Test(handle, &over, status);
  else if (ours && (over = mpispec_request_is_over(ours)))
    error = mpispec_request_finish(ours, status);
  if (error) {
    pair->result.error = error;
    pair->raised = !ours;
  }
  if (over)
    *handle = MPI_REQUEST_NULL;
  return over;
}

int mpispec_request_is_over(struct mpispec_request *request) {
  if (request->receive.reader)
    return mpispec_receive_poll(&request->receive);
  if (request->complete)
    return 1;
  if (request->kind == MPISPEC_AWAITED)
    return mpispec_has_fin(mpispec_state.fin, 0);
  if (request->kind == MPISPEC_PAIR)
    return request->complete = half_is_over(request, 0) & half_is_over(request, 1);
  return request->in_library && library_is_done(request);
}

int mpispec_request_awaits_library(const struct mpispec_request *request) {
  return request->in_library || request->kind == MPISPEC_PAIR;
}

static void attend(struct mpispec_request *request) {
  if (request->kind != MPISPEC_SIMPLE && request->active)
    mpispec_rendezvous_attend(request);
}

/* The message of a simple receive mostly comes within a few handoffs. Therefore polls only its lane
 * for a while, unless other operations need progress. Stops when another thread waits for the lock.
 * Returns nonzero if the receive is over. */
static int wait_at_lane(struct mpispec_receive *receive) {
  unsigned polls = mpispec_lock_stays() && !mpispec_progress_is_busy() ? mpispec_state.polls : 1;
  while (!mpispec_receive_poll(receive)) {
    if (!--polls || !receive->reader || mpispec_lock_is_wanted())
      return 0;
    mpispec_progress_waits();
    mpispec_pause();
  }
  return 1;
}

int mpispec_request_is_over_for_parked(const void *what) {
  const struct mpispec_request *request = what;
  if (request->receive.reader)
    return 0;
  return request->complete || request->receive.use == mpispec_receive_complete ||
         request->transfer.rts || request->in_library;
}

void mpispec_request_wait(struct mpispec_request *request) {
  struct mpispec_awaited awaited = {.is_over = mpispec_request_is_over_for_parked, .what = request};
  attend(request);
  if (request->receive.reader && wait_at_lane(&request->receive))
    return;
  struct mpispec_vigil vigil = {0};
  for (unsigned round = 0; !mpispec_request_is_over(request); ++round) {
    mpispec_progress();
    if (mpispec_request_awaits_library(request))
      mpispec_wait_backoff(round);
    else
      mpispec_wait_or_park(round, &awaited);
    if (mpispec_vigil_is_due_in(&vigil, round))
      mpispec_request_doubt(request);
  }
}

void mpispec_requests_attend(int count, const MPI_Request requests[]) {
  for (int i = 0; i < count; ++i) {
    struct mpispec_request *request = mpispec_request_find(requests[i]);
    if (request)
      attend(request);
  }
}

int mpispec_foreign_wait(MPI_Request *request, MPI_Status *status) {
  int done = 0, error = PMPI_Test(request, &done, status);
  for (unsigned round = 0; !done && !error; ++round) {
    mpispec_progress();
    mpispec_wait_backoff(round);
    error = PMPI_Test(request, &done, status);
  }
  return error;
}

/* --- the end -----------------------------------------------------------------------------------*/

static int was_in_library(const struct mpispec_request *request) {
  return request->kind == MPISPEC_PAIR || (request->foreign[0] && !request->has_library_part);
}

void mpispec_request_get_status(const struct mpispec_request *request, MPI_Status *status) {
  const struct mpispec_result *result = &request->result;
  if (status == MPI_STATUS_IGNORE)
    return;
  if (request->kind == MPISPEC_SEND || request->kind == MPISPEC_AWAITED)
    mpispec_status_set_empty(status);
  else if (request->kind == MPISPEC_SIMPLE)
    mpispec_status_set(status, request->receive.source, request->receive.tag,
                       request->receive.bytes, 0);
  else if (was_in_library(request)) {
    const int error = status->MPI_ERROR; /* a function that completes one request does not set it */
    *status = request->status;
    status->MPI_ERROR = error;
  } else
    mpispec_status_set(status, result->source, result->tag, result->length, result->cancelled);
}

static void unpack(struct mpispec_request *request) {
  if (request->kind == MPISPEC_RECEIVE && request->staging)
    mpispec_datatype_unpack_in_library(request->staging, request->result.length,
                                       request->call.buffer, request->call.datatype);
  free(request->staging);
  request->staging = NULL;
}

int mpispec_request_finish(struct mpispec_request *request, MPI_Status *status) {
  const int error = request->result.error;
  if (request->kind == MPISPEC_SIMPLE || request->kind == MPISPEC_AWAITED) {
    mpispec_request_get_status(request, status);
    mpispec_request_delete(request);
    return MPI_SUCCESS;
  }
  unpack(request);
  mpispec_request_get_status(request, status);
  if (request->persistent && !request->released) {
    request->active = request->complete = request->raised = request->has_library_part = 0;
    request->result = (struct mpispec_result){0};
    request->foreign[0] = 0;
    return error;
  }
  mpispec_request_end(request);
  return error;
}

int mpispec_raise(MPI_Comm communicator, int error) {
  PMPI_Comm_call_errhandler(communicator, error);
  return error;
}

/* --- several -----------------------------------------------------------------------------------*/

static int has_theirs(int count, const MPI_Request requests[]) {
  for (int i = 0; i < count; ++i)
    if (requests[i] != MPI_REQUEST_NULL && !mpispec_request_is_ours(requests[i]))
      return 1;
  return 0;
}

/* Waits until the first request of an array is over, and ends it. Returns 0 and leaves the request
 * if it is the MPI library's, needs more at its end than a status, or has failed. The same holds if
 * the request is not over and a request of the library follows it. */
static int wait_for_first(int count, MPI_Request requests[], MPI_Status *status, int *attended) {
  struct mpispec_request *request = mpispec_request_find(requests[0]);
  if (!request || request->kind > MPISPEC_SEND || request->staging)
    return 0;
  if (!request->active) {
    mpispec_status_set_empty(status);
    return 1;
  }
  if (!mpispec_request_is_over(request)) {
    if (!*attended && has_theirs(count, requests))
      return 0;
    if (!(*attended)++)
      mpispec_requests_attend(count, requests);
    mpispec_request_wait(request);
  }
  if (request->result.error)
    return 0;
  if (!request->persistent)
    requests[0] = MPI_REQUEST_NULL;
  mpispec_request_finish(request, status);
  return 1;
}

/* Ends persistent sends at the front of an array that were complete when they started. Returns
 * their number. */
static int end_persistent_sends(int count, const MPI_Request requests[], MPI_Status statuses[]) {
  int i = 0;
  for (; i < count; ++i) {
    struct mpispec_receive *known = mpispec_receive_find((mpispec_handle)requests[i]);
    struct mpispec_request *request = known ? mpispec_request_of(known) : NULL;
    if (!request || request->complete != MPISPEC_COMPLETE_AT_START)
      break;
    mpispec_status_set_empty(mpispec_array_status(statuses, i));
    request->active = request->complete = 0;
  }
  return i;
}

int mpispec_requests_wait_prefix(int count, MPI_Request requests[], MPI_Status statuses[]) {
  int done = 0, attended = 0;
  while (done < count) {
    done +=
        end_persistent_sends(count - done, requests + done, mpispec_array_status(statuses, done));
    if (done == count)
      break;
    MPI_Status *rest = mpispec_array_status(statuses, done);
    const int ended = (int)mpispec_simple_complete_prefix((unsigned)(count - done),
                                                          mpispec_request_words(requests + done),
                                                          mpispec_status_wanted(rest));
    done += ended;
    if (!ended && !wait_for_first(count - done, requests + done, rest, &attended))
      break;
    done += !ended;
  }
  return done;
}

/* --- released requests -------------------------------------------------------------------------*/

static struct mpispec_request **released;
size_t mpispec_requests_released;
static size_t released_room;

void mpispec_request_release(struct mpispec_request *request) {
  request->released = 1;
  if (request->kind == MPISPEC_SEND && !request->complete && !request->persistent &&
      !request->in_library)
    return; /* rendezvous.c ends it */
  if (mpispec_requests_released == released_room) {
    released_room = released_room ? 2 * released_room : 16;
    released = mpispec_check_allocation(realloc(released, released_room * sizeof *released));
  }
  released[mpispec_requests_released++] = request;
  mpispec_progress_begins();
}

void mpispec_requests_reap(void) {
  for (size_t i = 0; i < mpispec_requests_released;) {
    struct mpispec_request *request = released[i];
    if (!mpispec_request_is_over(request)) {
      ++i;
      continue;
    }
    released[i] = released[--mpispec_requests_released];
    mpispec_request_finish(request, MPI_STATUS_IGNORE); /* may come back here: datatype.h */
  }
}
