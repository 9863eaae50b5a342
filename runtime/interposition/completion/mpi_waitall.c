/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Waitall and MPI_Testall, for arrays that mix requests of the runtime and of the MPI library.
 *
 * An array without a request of the runtime goes to the library unchanged, with the exceptions of
 * mpispec_array_begin. MPI_Waitall first completes requests of the runtime at the front of
 * the array, one after the other, if their completion only fills in a status. At the first other
 * request, or after a failure, the rest of the array takes the slow path. */
#include "interposition/completion/request_array.h"
#include "interposition/fortran/mpif_entry.h"
#include "interposition/library/next.h"
#include "job/node.h"
#include "mpispec/machine.h"
#include "p2p/completion.h"
#include "p2p/request.h"
#include "p2p/request_wait.h"
#include "p2p/simple_receive.h"
#include "profile/profile.h"
#include "progress/helper.h"
#include "progress/library_progress.h"
#include "progress/lock.h"
#include "progress/progress.h"

static int all_ours_are_over(int count, const MPI_Request requests[], int *from) {
  for (; *from < count; ++*from)
    if (mpispec_request_is_ours(requests[*from]) && !mpispec_array_is_over(requests[*from]))
      return 0;
  return 1;
}

/* Waits until all requests are over. `done` is nonzero if none of the library's is left. The
 * library tests its requests also while the runtime's are not over. Some of them make progress only
 * in a test of their own, for example nonblocking collective operations on files in ROMIO. */
static void wait_for_both(int count, const MPI_Request requests[], struct mpispec_array_part *part,
                          int *part_error, int done) {
  int from = 0;
  uint64_t tested = mpispec_ticks();
  struct mpispec_array_wait wait = {.for_first = 1};
  mpispec_requests_announce_wait(count, requests);
  for (unsigned round = 0;; ++round) {
    const int ours = all_ours_are_over(count, requests, &from);
    if (!done && (ours || mpispec_pause_is_over(&tested)))
      done = mpispec_array_part_end_some(part, part_error);
    wait.for_library = !done;
    if (ours && done)
      return;
    mpispec_progress();
    if (ours)
      mpispec_wait_backoff_for_library(round);
    else
      mpispec_array_backoff(count - from, requests + from, round, &wait);
  }
}

/* After the first failure, MPI_ERROR of each status must be set. Its value is MPI_SUCCESS for
 * requests that have not failed. */
static void note_failure(int *failed, int count, MPI_Status statuses[]) {
  for (int i = 0; i < count && !*failed; ++i)
    mpispec_array_store_error(mpispec_array_status(statuses, i), MPI_SUCCESS);
  *failed = 1;
}

/* Called when all requests of the runtime are over. The library's requests are over, too, or their
 * test has failed (`part_error`). Finishes those of the runtime, and copies the library's statuses
 * to their places. */
static int finish_all(int count, MPI_Request requests[], MPI_Status statuses[],
                      struct mpispec_array_part *part, int part_error) {
  int failed = 0;
  if (part_error)
    note_failure(&failed, count, statuses);
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL) {
      mpispec_status_set_empty(mpispec_array_status(statuses, i));
    } else if (mpispec_request_is_ours(requests[i])) {
      const int error = mpispec_array_finish(&requests[i], mpispec_array_status(statuses, i));
      if (!error)
        continue;
      note_failure(&failed, count, statuses);
      mpispec_array_store_error(mpispec_array_status(statuses, i), error);
    }
  }
  if (statuses != MPI_STATUSES_IGNORE)
    for (int k = 0; k < part->count; ++k) {
      const MPI_Status *own = &part->statuses[k];
      const int is_empty = own->MPI_SOURCE == MPI_ANY_SOURCE && own->MPI_TAG == MPI_ANY_TAG;
      const int error = is_empty ? MPI_SUCCESS : statuses[part->positions[k]].MPI_ERROR;
      statuses[part->positions[k]] = *own;
      if (part_error != MPI_ERR_IN_STATUS)
        statuses[part->positions[k]].MPI_ERROR = error;
    }
  return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

static int wait_for_all(int count, MPI_Request requests[], MPI_Status statuses[]);

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  MPISPEC_GATE(Waitall, count, requests, statuses);
  if (!requests || !mpispec_status_is_there(statuses))
    return wait_for_all(count, requests, statuses);
  mpispec_lock();
  const int ended = (int)mpispec_state.completed; /* requests that a template has completed */
  mpispec_state.completed = 0;
  const int done = ended + mpispec_requests_wait_prefix(count - ended, requests + ended,
                                                        mpispec_array_status(statuses, ended));
  mpispec_unlock();
  if (done && done == count)
    return MPI_SUCCESS;
  const int error =
      wait_for_all(count - done, requests + done, mpispec_array_status(statuses, done));
  for (int i = 0; error && i < done; ++i)
    mpispec_array_store_error(mpispec_array_status(statuses, i), MPI_SUCCESS);
  return error;
}

static int wait_for_all(int count, MPI_Request requests[], MPI_Status statuses[]) {
  const enum mpispec_array_executor executor =
      mpispec_array_begin(count, requests, mpispec_status_is_there(statuses), MPISPEC_ARRAY_WAIT);
  if (executor != MPISPEC_ARRAY_OURS)
    return MPISPEC_ALONE_IN_LIBRARY(
        MPISPEC_ARRAY_ELSEWHERE(executor, Waitall(count, requests, statuses)));
  struct mpispec_array_part part = mpispec_array_part_open(count, requests);
  int part_error = MPI_SUCCESS;
  const int done = mpispec_array_part_end_some(&part, &part_error);
  if (part_error && part_error != MPI_ERR_IN_STATUS) { /* an invalid handle */
    mpispec_array_part_close(&part, requests);
    mpispec_unlock();
    return part_error;
  }
  wait_for_both(count, requests, &part, &part_error, done);
  const int error = finish_all(count, requests, statuses, &part, part_error);
  mpispec_array_part_close(&part, requests);
  mpispec_unlock();
  return mpispec_array_raise(error, part_error);
}

/* Nonzero if the first request that is not over is a receive whose lane is empty. */
static inline int first_is_waiting(int count, const MPI_Request requests[]) {
  for (int i = 0; i < count; ++i) {
    if (mpispec_handle_needs_no_wait((mpispec_handle)requests[i]))
      continue;
    if (mpispec_receive_is_waiting((mpispec_handle)requests[i]))
      return 1;
    const struct mpispec_receive *receive = mpispec_receive_find((mpispec_handle)requests[i]);
    if (!receive || receive->reader || receive->use != mpispec_receive_complete)
      return mpispec_posted_is_waiting(requests[i]);
  }
  return 0;
}

/* Called if some request of the runtime is not over. Now and then makes progress with those of the
 * library. If one of them has failed, returns MPI_ERR_IN_STATUS, and the others are pending
 * (MPI 4.0, 3.7.5). */
static int test_in_vain(int count, MPI_Request requests[], MPI_Status statuses[]) {
  static uint64_t tested;
  int error = MPI_SUCCESS;
  if (!mpispec_pause_is_over(&tested))
    return MPI_SUCCESS;
  struct mpispec_array_part part = mpispec_array_part_open(count, requests);
  const int failed = mpispec_array_part_progress(&part, &error);
  for (int i = 0; i < count && error; ++i)
    mpispec_array_store_error(mpispec_array_status(statuses, i), MPI_ERR_PENDING);
  if (error && statuses != MPI_STATUSES_IGNORE) {
    statuses[part.positions[failed]] = part.statuses[failed];
    statuses[part.positions[failed]].MPI_ERROR = error;
  }
  mpispec_array_part_close(&part, requests);
  tested = mpispec_ticks(); /* a search of a long array may take longer than the pause */
  return error ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

static __attribute__((noinline)) int long_Testall(int count, MPI_Request requests[], int *flag,
                                                  MPI_Status statuses[]) {
  MPISPEC_GATE(Testall, count, requests, flag, statuses);
  const enum mpispec_array_executor executor = mpispec_array_begin(
      count, requests, flag && mpispec_status_is_there(statuses), MPISPEC_ARRAY_TEST);
  if (executor != MPISPEC_ARRAY_OURS)
    return MPISPEC_ARRAY_ELSEWHERE(executor, Testall(count, requests, flag, statuses));
  int from = 0, error = MPI_SUCCESS, part_error = MPI_SUCCESS;
  *flag = all_ours_are_over(count, requests, &from);
  if (!*flag) {
    error = part_error = test_in_vain(count, requests, statuses);
  } else {
    struct mpispec_array_part part = mpispec_array_part_open(count, requests);
    if (part.count)
      MPISPEC_WITHOUT_LOCK(part_error =
                               PMPI_Testall(part.count, part.requests, flag, part.statuses));
    if (part_error && part_error != MPI_ERR_IN_STATUS) { /* an invalid handle */
      mpispec_array_part_close(&part, requests);
      mpispec_unlock();
      return part_error;
    }
    if (*flag || part_error)
      error = finish_all(count, requests, statuses, &part, part_error);
    mpispec_array_part_close(&part, requests);
  }
  if (!*flag)
    mpispec_array_note_vain_test(count, requests);
  mpispec_unlock();
  return mpispec_array_raise(error, part_error);
}

static __attribute__((noinline)) int biased_Testall(int count, MPI_Request requests[], int *flag,
                                                    MPI_Status statuses[]) {
  if (!requests || !flag || !mpispec_status_is_there(statuses) ||
      !mpispec_array_is_waiting(count, requests))
    MPISPEC_JUMP long_Testall(count, requests, flag, statuses);
  *flag = 0;
  return MPI_SUCCESS;
}

/* On average, one test in 64 takes the slow path in any case, because the library may have to test
 * a request behind the first. The intervals are irregular (a linear congruential generator), so
 * that each of several arrays that are tested in turn has such tests. */
int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  static uint32_t turns;
  if (requests && flag && mpispec_status_is_there(statuses) && mpispec_simple_is_open() &&
      (turns = turns * 1664525 + 1013904223) >> 26 && first_is_waiting(count, requests)) {
    *flag = 0;
    mpispec_progress_note_empty_poll();
    return MPI_SUCCESS;
  }
  if (__builtin_expect(mpispec_fast_path_disabled, 0))
    MPISPEC_JUMP biased_Testall(count, requests, flag, statuses);
  MPISPEC_JUMP long_Testall(count, requests, flag, statuses);
}

#ifdef MPISPEC_STYLE_MPICH
MPISPEC_MPIF(waitall, WAITALL, (count, requests, statuses, ierror), const int *count,
             MPI_Request requests[], MPI_Status statuses[], int *ierror) {
  MPISPEC_MPIF_GATE(waitall, count, requests, statuses, ierror);
  *ierror = MPI_Waitall(*count, requests, mpispec_mpif_statuses(statuses));
}
#endif
