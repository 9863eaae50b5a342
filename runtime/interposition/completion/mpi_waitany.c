/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Waitany and MPI_Testany, for arrays that mix requests of the runtime and of the MPI library.
 *
 * An array without a request of the runtime goes to the library unchanged, with the exceptions of
 * mpispec_array_begin. request_array.h has the functions for all other arrays. */
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

/* A poll of simple receives returns the index of one that is over, or one of these values. */
enum { NONE_IS_OVER = -1, UNSURE = -2 };

/* The request that was completed last. In the same array, the requests before it are assumed to be
 * null as long as no new request is made. */
static struct {
  const MPI_Request *requests;
  int next;
  unsigned turns;
  unsigned long made;
} last;

static inline int begin_of(const MPI_Request requests[]) {
  return last.requests == requests && last.made == mpispec_state.made ? last.next : 0;
}

static inline void note(const MPI_Request requests[], int found) {
  last.requests = requests;
  last.next = found + 1;
  last.made = mpispec_state.made;
}

/* Polls the requests of an array once, in their order, as the library does. Completes the first
 * request that is over if it is a simple receive or a finished send. Returns UNSURE if the slow
 * path must test other requests. At a request of the library, one poll in TURNS returns UNSURE at
 * once, although a later request may be over. Otherwise the library might never be polled. If the
 * lock is held by its bias, also returns UNSURE at a pair (Isendrecv) or a request that the library
 * executes: to test it may release the lock. */
static inline __attribute__((always_inline)) int
complete_any_simple(int count, MPI_Request requests[], MPI_Status *status, int is_biased) {
  enum { TURNS = 1 << 6 };
  int others = 0, shown = UNSURE, begin = begin_of(requests);
  for (int i = begin; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL)
      continue;
    if (mpispec_has_nothing_come(requests[i])) {
      shown = others ? UNSURE : NONE_IS_OVER;
      continue;
    }
    if (mpispec_simple_complete(mpispec_request_words(&requests[i]),
                                mpispec_status_wanted(status))) {
      note(requests, i);
      return i;
    }
    struct mpispec_request *request = mpispec_request_find(requests[i]);
    if (is_biased && request &&
        (request->kind == MPISPEC_PAIR || mpispec_request_awaits_library(request)))
      return UNSURE;
    if (request ? request->active && mpispec_request_is_over(request) : !(++last.turns % TURNS))
      return UNSURE;
    others = 1;
    shown = UNSURE;
  }
  while (begin > 0 && shown == NONE_IS_OVER)
    if (requests[--begin] != MPI_REQUEST_NULL) /* the program stored it, or it is the library's */
      shown = UNSURE;
  return shown;
}

/* Tests the requests of the runtime in the order of the array, then those of the library. Finishes
 * the first one that is over, and stores its index in `*index`. Returns nonzero if a request has
 * been finished, if none is active, or after an error of the library. If `*error` is set,
 * `*communicator` is the one whose error handler must still be called, or MPI_COMM_NULL. */
static int look_for_any(int count, MPI_Request requests[], int *index, MPI_Status *status,
                        int *error, MPI_Comm *communicator) {
  int active = 0, foreign = 0, done = 0, k = MPI_UNDEFINED;
  *error = MPI_SUCCESS;
  *communicator = MPI_COMM_NULL;
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL)
      continue;
    struct mpispec_request *request = mpispec_request_find(requests[i]);
    const int at_rest = request ? !request->active : requests[i] != mpispec_request_done;
    foreign |= !request && requests[i] != mpispec_request_done;
    active |= !at_rest;
    if (at_rest || (request && !mpispec_request_is_over(request)))
      continue;
    if (request && !request->raised && request->call.communicator)
      *communicator = request->call.communicator->handle;
    *index = i;
    *error = mpispec_array_finish(&requests[i], status);
    return 1;
  }
  if (active && !foreign)
    return 0;
  struct mpispec_array_part part = mpispec_array_part_open(count, requests);
  if (part.count)
    MPISPEC_WITHOUT_LOCK(*error = PMPI_Testany(part.count, part.requests, &k, &done, status));
  if (k != MPI_UNDEFINED)
    *index = part.positions[k];
  const int all_at_rest = !part.count || (done && k == MPI_UNDEFINED);
  mpispec_array_part_close(&part, requests);
  if (k != MPI_UNDEFINED || *error)
    return 1;
  if (active || !all_at_rest)
    return 0;
  *index = MPI_UNDEFINED;
  mpispec_status_set_empty(status);
  return 1;
}

static __attribute__((noinline)) int long_Waitany(int count, MPI_Request requests[], int *index,
                                                  MPI_Status *status) {
  MPISPEC_GATE(Waitany, count, requests, index, status);
  int error;
  MPI_Comm communicator;
  const enum mpispec_array_executor executor = mpispec_array_begin(
      count, requests, index && mpispec_status_is_there(status), MPISPEC_ARRAY_WAIT);
  if (executor != MPISPEC_ARRAY_OURS)
    return MPISPEC_ALONE_IN_LIBRARY(
        MPISPEC_ARRAY_ELSEWHERE(executor, Waitany(count, requests, index, status)));
  struct mpispec_array_wait wait = {0};
  for (unsigned round = 0; !look_for_any(count, requests, index, status, &error, &communicator);
       ++round) {
    mpispec_progress();
    mpispec_array_backoff(count, requests, round, &wait);
  }
  mpispec_unlock();
  return error && communicator != MPI_COMM_NULL ? mpispec_raise(communicator, error) : error;
}

/* Like complete_any_simple. In a process whose calls acquire the lock, returns UNSURE if the lock
 * is not biased to this thread (biased_lock.h). */
static int look_once(int count, MPI_Request requests[], MPI_Status *status) {
  if (mpispec_simple_is_open())
    return complete_any_simple(count, requests, status, 0);
  if (!mpispec_state.receive_at || !mpispec_lock_enter())
    return UNSURE;
  const int found = complete_any_simple(count, requests, status, 1);
  mpispec_lock_leave();
  return found;
}

static __attribute__((noinline)) int other_Waitany(int count, MPI_Request requests[], int *index,
                                                   MPI_Status *status) {
  if (requests && index && mpispec_status_is_there(status)) {
    const int found = look_once(count, requests, status);
    if (found >= 0) {
      *index = found;
      return MPI_SUCCESS;
    }
  }
  MPISPEC_JUMP long_Waitany(count, requests, index, status);
}

/* The fast path serves a program whose requests complete in the order of the array. */
int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
  if (requests && index && mpispec_status_is_there(status) && mpispec_simple_is_open()) {
    const int next = begin_of(requests);
    if (next < count && requests[next] != MPI_REQUEST_NULL &&
        !mpispec_receive_is_waiting((mpispec_handle)requests[next]) &&
        mpispec_simple_complete(mpispec_request_words(&requests[next]),
                                mpispec_status_wanted(status))) {
      note(requests, next);
      *index = next;
      return MPI_SUCCESS;
    }
  }
  MPISPEC_JUMP other_Waitany(count, requests, index, status);
}

static __attribute__((noinline)) int long_Testany(int count, MPI_Request requests[], int *index,
                                                  int *flag, MPI_Status *status) {
  MPISPEC_GATE(Testany, count, requests, index, flag, status);
  int error;
  MPI_Comm communicator;
  const enum mpispec_array_executor executor = mpispec_array_begin(
      count, requests, index && flag && mpispec_status_is_there(status), MPISPEC_ARRAY_TEST);
  if (executor != MPISPEC_ARRAY_OURS)
    return MPISPEC_ARRAY_ELSEWHERE(executor, Testany(count, requests, index, flag, status));
  *index = MPI_UNDEFINED;
  *flag = look_for_any(count, requests, index, status, &error, &communicator);
  if (!*flag)
    mpispec_array_note_vain_test(count, requests);
  mpispec_unlock();
  return error && communicator != MPI_COMM_NULL ? mpispec_raise(communicator, error) : error;
}

static __attribute__((noinline)) int biased_Testany(int count, MPI_Request requests[], int *index,
                                                    int *flag, MPI_Status *status) {
  if (!requests || !index || !flag || !mpispec_status_is_there(status) ||
      !mpispec_array_is_waiting(count, requests))
    MPISPEC_JUMP long_Testany(count, requests, index, flag, status);
  *index = MPI_UNDEFINED;
  *flag = 0;
  return MPI_SUCCESS;
}

static __attribute__((noinline)) int other_Testany(int count, MPI_Request requests[], int *index,
                                                   int *flag, MPI_Status *status) {
  int found = UNSURE;
  if (requests && index && flag && mpispec_status_is_there(status) && mpispec_simple_is_open())
    found = complete_any_simple(count, requests, status, 0);
  if (found == UNSURE && mpispec_fast_path_disabled)
    MPISPEC_JUMP biased_Testany(count, requests, index, flag, status);
  if (found == UNSURE)
    MPISPEC_JUMP long_Testany(count, requests, index, flag, status);
  *flag = found >= 0;
  *index = *flag ? found : MPI_UNDEFINED;
  if (!*flag)
    mpispec_progress_note_empty_poll();
  return MPI_SUCCESS;
}

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
  if (requests && mpispec_simple_is_open() && mpispec_simple_are_waiting(count, requests) &&
      index && flag && mpispec_status_is_there(status)) {
    mpispec_progress_note_empty_poll();
    *index = MPI_UNDEFINED;
    *flag = 0;
    return MPI_SUCCESS;
  }
  MPISPEC_JUMP other_Testany(count, requests, index, flag, status);
}
