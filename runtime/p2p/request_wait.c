/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Waits for requests. See request_wait.h. */
#include "p2p/request_wait.h"

#include "job/node.h"
#include "p2p/completion.h"
#include "p2p/ended_peers.h"
#include "p2p/receiver.h"
#include "p2p/rendezvous.h"
#include "p2p/room.h"
#include "p2p/simple_receive.h"
#include "progress/lane_polls.h"
#include "progress/library_polls.h"
#include "progress/lock.h"
#include "progress/origin.h"
#include "progress/parking.h"
#include "progress/progress.h"
#include "shm/liveness.h"

static void announce_wait(struct mpispec_request *request) {
  if (request->kind == MPISPEC_PAIR)
    mpispec_requests_announce_wait(2, request->foreign);
  else if (request->kind != MPISPEC_SIMPLE && request->active)
    mpispec_rendezvous_announce_wait(request);
}

/* The message of a simple receive mostly comes after few transfers of a cache line between cores.
 * Therefore the function polls only its lane for a while, unless other operations need progress.
 * Stops when another thread waits for the lock. A poll may find the message of a parked thread
 * instead. Returns nonzero if the receive is over. */
static int wait_at_lane(struct mpispec_receive *receive) {
  unsigned polls = mpispec_progress_is_busy() ? 1 : mpispec_lane_polls();
  const struct mpispec_reader *const reader = receive->reader;
  const struct mpispec_cell *next = reader->next;
  while (!mpispec_receive_poll(receive)) {
    if (!receive->reader || !mpispec_lane_poll_again(&polls))
      return 0;
    if (reader->next != next)
      mpispec_parked_notify();
    next = reader->next;
  }
  mpispec_lane_prefetch_answer(reader);
  return 1;
}

/* Nonzero if the thread that waits for the request has to poll itself. */
static int needs_polls(const struct mpispec_request *request) {
  return (request->transfer.rts && !mpispec_doorbells_used) || request->in_library;
}

static int pair_is_over(const struct mpispec_request *pair) {
  int over = 1;
  for (int half = 0; half < 2; ++half) {
    const struct mpispec_request *request = mpispec_request_find(pair->foreign[half]);
    if (request && needs_polls(request))
      return 1;
    over &= !request || mpispec_request_is_over_for_parked(request);
  }
  return over;
}

int mpispec_request_is_over_for_parked(const void *what) {
  const struct mpispec_request *request = what;
  if (request->receive.reader)
    return 0;
  if (request->kind == MPISPEC_PAIR)
    return pair_is_over(request);
  return request->complete || request->receive.use == mpispec_receive_complete ||
         needs_polls(request);
}

void mpispec_request_wait(struct mpispec_request *request) {
  struct mpispec_awaited awaited = {.is_over = mpispec_request_is_over_for_parked, .what = request};
  announce_wait(request);
  if (request->receive.reader && wait_at_lane(&request->receive))
    return;
  struct mpispec_vigil vigil = {0};
  unsigned round = mpispec_lock_is_shared() ? 0 : mpispec_first_round();
  for (; !mpispec_request_is_over(request); ++round) {
    mpispec_progress();
    if (mpispec_request_awaits_library(request))
      mpispec_wait_backoff(round);
    else
      mpispec_wait_or_park(round, &awaited);
    if (mpispec_vigil_is_due_in(&vigil, round))
      mpispec_request_check_peer(request);
  }
}

void mpispec_requests_announce_wait(int count, const MPI_Request requests[]) {
  for (int i = 0; i < count; ++i) {
    struct mpispec_request *request = mpispec_request_find(requests[i]);
    if (request)
      announce_wait(request);
  }
}

int mpispec_foreign_wait_is_needed(void) {
  return mpispec_progress_is_needed() || mpispec_origin_has_targets() ||
         mpispec_library_never_yields();
}

int mpispec_foreign_wait(MPI_Request *request, MPI_Status *status) {
  int done = 0, error;
  MPISPEC_WITHOUT_LOCK(error = PMPI_Test(request, &done, status));
  for (unsigned round = 0; !done && !error; ++round) {
    mpispec_progress();
    mpispec_wait_backoff_for_library(round);
    MPISPEC_WITHOUT_LOCK(error = PMPI_Test(request, &done, status));
  }
  return error;
}

void mpispec_foreign_test_begin(void) {
  if (!mpispec_node.size)
    return; /* no lanes, and no lock */
  mpispec_room_note_foreign_test();
  if (mpispec_library_tests_spin())
    mpispec_progress_idle();
}

/* --- several -----------------------------------------------------------------------------------*/

static int has_theirs(int count, const MPI_Request requests[]) {
  for (int i = 0; i < count; ++i)
    if (requests[i] != MPI_REQUEST_NULL && !mpispec_request_is_ours(requests[i]))
      return 1;
  return 0;
}

/* Waits until the first request of an array is over, and ends it. Returns 0 and leaves the request
 * if it is the MPI library's, a pair or a template's Issend. The same holds if the request already
 * has staging memory, or has failed. The same holds if it is not over and a request of the library
 * follows it. */
static int wait_for_first(int count, MPI_Request requests[], MPI_Status *status, int *announced) {
  struct mpispec_request *request = mpispec_request_find(requests[0]);
  if (!request || request->kind > MPISPEC_SEND || request->staging)
    return 0;
  if (!request->active) {
    mpispec_status_set_empty(status);
    return 1;
  }
  if (!mpispec_request_is_over(request)) {
    if (!*announced && has_theirs(count, requests))
      return 0;
    if (!(*announced)++)
      mpispec_requests_announce_wait(count, requests);
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
  int done = 0, announced = 0;
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
    if (!ended && !wait_for_first(count - done, requests + done, rest, &announced))
      break;
    done += !ended;
  }
  return done;
}
