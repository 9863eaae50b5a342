/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a request ends. See completion.h. */
#include "p2p/completion.h"

#include "comm/communicator.h"
#include "datatype/datatype.h"
#include "job/memory.h"
#include "mpispec/message.h"
#include "p2p/request.h"
#include "p2p/simple_receive.h"
#include "progress/lock.h"
#include "progress/progress.h"

#include <stdlib.h>
#include <string.h>

void mpispec_status_set_empty(MPI_Status *status) {
  mpispec_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, 0);
  if (status != MPI_STATUS_IGNORE)
    status->MPI_ERROR = MPI_SUCCESS;
}

/* --- is it over? -------------------------------------------------------------------------------*/

static int library_is_done(struct mpispec_request *request) {
  int done;
  const int error = PMPI_Test(&request->foreign[0], &done, &request->status);
  if (!done && !error)
    return 0;
  request->in_library = 0;
  if (error && !request->has_library_part) {
    request->result.error = error;
    request->raised = 1;
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
  int over = 1, error = MPI_SUCCESS, raised = 1;
  if (*handle == MPI_REQUEST_NULL)
    return 1;
  struct mpispec_request *ours = mpispec_request_find(*handle);
  if (!ours && *handle != mpispec_request_done)
    error = PMPI_Test(handle, &over, status);
  else if (ours && (over = mpispec_request_is_over(ours))) {
    raised = ours->kind != MPISPEC_SIMPLE && ours->raised;
    error = mpispec_request_finish(ours, status);
  }
  if (error) {
    pair->result.error = error;
    pair->raised = raised;
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

static int half_awaits_library(MPI_Request half) {
  const struct mpispec_request *ours = mpispec_request_find(half);
  return ours ? ours->in_library : half != MPI_REQUEST_NULL && half != mpispec_request_done;
}

int mpispec_request_awaits_library(const struct mpispec_request *request) {
  return request->kind == MPISPEC_PAIR
             ? half_awaits_library(request->foreign[0]) || half_awaits_library(request->foreign[1])
             : request->in_library;
}

/* --- the end -----------------------------------------------------------------------------------*/

static int was_in_library(const struct mpispec_request *request) {
  return request->kind == MPISPEC_PAIR || (request->foreign[0] && !request->has_library_part);
}

static void unpack(struct mpispec_request *request) {
  if (request->kind == MPISPEC_RECEIVE && request->staging && request->call.contiguous)
    memcpy(request->call.buffer, request->staging, (size_t)request->result.length);
  else if (request->kind == MPISPEC_RECEIVE && request->staging)
    mpispec_datatype_unpack_in_library(request->staging, request->result.length,
                                       request->call.buffer, request->call.datatype);
  free(request->staging);
  request->staging = NULL;
}

void mpispec_request_get_status(struct mpispec_request *request, MPI_Status *status) {
  if (request->kind == MPISPEC_RECEIVE)
    unpack(request);
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

int mpispec_request_finish(struct mpispec_request *request, MPI_Status *status) {
  const int error = request->result.error;
  if (request->kind == MPISPEC_SIMPLE || request->kind == MPISPEC_AWAITED) {
    mpispec_request_get_status(request, status);
    mpispec_request_delete(request);
    return request->kind == MPISPEC_SIMPLE ? MPI_SUCCESS : error;
  }
  unpack(request);
  mpispec_request_get_status(request, status);
  if (request->persistent && !request->released) {
    request->active = request->complete = request->raised = request->has_library_part = 0;
    request->call.blocking = 0;
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

/* --- released requests -------------------------------------------------------------------------*/

static struct mpispec_request **released;
size_t mpispec_requests_released;
static size_t released_room;

void mpispec_request_release(struct mpispec_request *request) {
  request->released = 1;
  if (request->kind == MPISPEC_SEND && !request->complete && !request->persistent &&
      !request->in_library)
    return; /* rendezvous.c ends it */
  if (mpispec_requests_released == released_room)
    mpispec_requests_reap(); /* a program that never waits may make no other progress with them */
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
    mpispec_request_finish(request, MPI_STATUS_IGNORE); /* may recurse: datatype.h */
  }
}
