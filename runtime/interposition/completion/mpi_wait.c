/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of one request: MPI_Wait, MPI_Test, MPI_Request_free, MPI_Request_get_status,
 * MPI_Cancel. Functions of arrays are in mpi_waitall.c, mpi_waitany.c, mpi_waitsome.c and
 * mpi_get_status.c. */
#include "comm/communicator.h"
#include "interposition/fortran/mpif_entry.h"
#include "interposition/library/next.h"
#include "job/node.h"
#include "mpispec/machine.h"
#include "p2p/completion.h"
#include "p2p/network.h"
#include "p2p/queues.h"
#include "p2p/request.h"
#include "p2p/request_wait.h"
#include "p2p/simple_receive.h"
#include "profile/profile.h"
#include "progress/helper.h"
#include "progress/lock.h"
#include "progress/origin.h"
#include "progress/progress.h"

/* Ends a request that is over. Sets the program's handle to null unless the request is
 * persistent. */
static int finish(MPI_Request *handle, struct mpispec_request *request, MPI_Status *status,
                  MPI_Comm *communicator) {
  const struct mpispec_communicator *of = request->call.communicator;
  *communicator = request->raised || !of ? MPI_COMM_NULL : of->handle;
  if (!request->persistent)
    *handle = MPI_REQUEST_NULL;
  return mpispec_request_finish(request, status);
}

static int raise_if(int error, MPI_Comm communicator) {
  if (error && communicator != MPI_COMM_NULL)
    mpispec_raise(communicator, error);
  return error;
}

/* Nonzero if `pointer` is null and `handle` is the runtime's. The library cannot read this handle,
 * and therefore cannot report the error. Other null pointers are left to the library. */
static int lacks(const void *pointer, MPI_Request handle) {
  return __builtin_expect(!pointer, 0) && mpispec_request_is_ours(handle);
}

static int lacks_status(const MPI_Status *status, MPI_Request handle) {
  return __builtin_expect(!mpispec_status_is_there(status), 0) && mpispec_request_is_ours(handle);
}

static int refuse(int class) { return mpispec_raise(MPI_COMM_WORLD, class); }

static int finish_done(MPI_Request *handle, MPI_Status *status) {
  *handle = MPI_REQUEST_NULL;
  mpispec_status_set_empty(status);
  return MPI_SUCCESS;
}

static int foreign_wait(MPI_Request *handle, MPI_Status *status) {
  mpispec_lock();
  const int busy = mpispec_foreign_wait_is_needed();
  const int error = busy ? mpispec_foreign_wait(handle, status) : MPI_SUCCESS;
  mpispec_unlock();
  return busy ? error : MPISPEC_ALONE_IN_LIBRARY(mpispec_next.Wait(handle, status));
}

static __attribute__((noinline)) int long_Wait(MPI_Request *handle, MPI_Status *status) {
  MPISPEC_GATE(Wait, handle, status);
  if (handle && lacks_status(status, *handle))
    return refuse(MPI_ERR_ARG);
  if (handle && *handle == mpispec_request_done)
    return finish_done(handle, status);
  mpispec_lock();
  struct mpispec_request *request = handle ? mpispec_request_find(*handle) : NULL;
  if (!request) {
    mpispec_unlock();
    return foreign_wait(handle, status);
  }
  MPI_Comm communicator = MPI_COMM_NULL;
  int error = MPI_SUCCESS;
  if (request->active) {
    mpispec_request_wait(request);
    error = finish(handle, request, status, &communicator);
  } else {
    mpispec_status_set_empty(status);
  }
  mpispec_unlock();
  return raise_if(error, communicator);
}

/* Makes progress, and tests the library's request. Otherwise a program that only tests would make
 * no progress for operations of the runtime. */
static int foreign_test(MPI_Request *handle, int *flag, MPI_Status *status) {
  mpispec_lock();
  mpispec_progress();
  mpispec_foreign_test_begin();
  mpispec_origin_note_test();
  mpispec_unlock();
  return mpispec_next.Test(handle, flag, status);
}

static __attribute__((noinline)) int long_Test(MPI_Request *handle, int *flag, MPI_Status *status) {
  MPISPEC_GATE(Test, handle, flag, status);
  if (handle && (lacks(flag, *handle) || lacks_status(status, *handle)))
    return refuse(MPI_ERR_ARG);
  if (handle && *handle == mpispec_request_done) {
    *flag = 1;
    return finish_done(handle, status);
  }
  mpispec_lock();
  struct mpispec_request *request = handle ? mpispec_request_find(*handle) : NULL;
  if (!request) {
    mpispec_unlock();
    return foreign_test(handle, flag, status);
  }
  MPI_Comm communicator = MPI_COMM_NULL;
  int error = MPI_SUCCESS;
  if (!request->active) {
    *flag = 1;
    mpispec_status_set_empty(status);
  } else if (mpispec_has_nothing_come(*handle)) {
    *flag = 0;
    mpispec_progress_note_empty_poll();
  } else {
    mpispec_progress();
    *flag = mpispec_request_is_over(request);
    if (*flag)
      error = finish(handle, request, status, &communicator);
    else
      mpispec_progress_idle();
  }
  mpispec_unlock();
  return raise_if(error, communicator);
}

static void release(struct mpispec_request *request) {
  mpispec_request_expand(request);
  mpispec_request_release(request);
}

/* The fast path of a process whose calls acquire the lock. Completes a request that is over if the
 * lock is biased to this thread (biased_lock.h). All other calls take the slow path. */
static __attribute__((noinline)) int biased_Wait(MPI_Request *handle, MPI_Status *status) {
  if (!handle || !mpispec_status_is_there(status) || !mpispec_lock_enter())
    MPISPEC_JUMP long_Wait(handle, status);
  const int done =
      mpispec_state.receive_at &&
      mpispec_simple_complete(mpispec_request_words(handle), mpispec_status_wanted(status));
  mpispec_lock_leave();
  if (done)
    return MPI_SUCCESS;
  MPISPEC_JUMP long_Wait(handle, status);
}

/* Completes a send that is over, or a simple receive in a process whose calls take no lock. Returns
 * 0 if the call must do more. */
static inline __attribute__((always_inline)) int wait_without_lock(MPI_Request *handle,
                                                                   MPI_Status *status) {
  if (!handle || !mpispec_status_is_there(status))
    return 0;
  if (*handle == mpispec_request_done)
    return finish_done(handle, status) == MPI_SUCCESS;
  return mpispec_simple_is_open() &&
         mpispec_simple_complete(mpispec_request_words(handle), mpispec_status_wanted(status));
}

int MPI_Wait(MPI_Request *handle, MPI_Status *status) {
  if (__builtin_expect(wait_without_lock(handle, status), 1))
    return MPI_SUCCESS;
  if (__builtin_expect(mpispec_fast_path_disabled, 0))
    MPISPEC_JUMP biased_Wait(handle, status);
  MPISPEC_JUMP long_Wait(handle, status);
}

/* Like biased_Wait. A test that finds nothing takes the slow path only if progress is due, which
 * may release the lock. */
static __attribute__((noinline)) int biased_Test(MPI_Request *handle, int *flag,
                                                 MPI_Status *status) {
  if (!handle || !flag || !mpispec_status_is_there(status) || !mpispec_lock_enter())
    MPISPEC_JUMP long_Test(handle, flag, status);
  int over = 0, waiting = 0;
  if (mpispec_state.receive_at && mpispec_has_nothing_come(*handle))
    waiting = mpispec_progress_may_skip_round();
  else if (mpispec_state.receive_at)
    over = mpispec_simple_complete(mpispec_request_words(handle), mpispec_status_wanted(status));
  mpispec_lock_leave();
  if (!over && !waiting)
    MPISPEC_JUMP long_Test(handle, flag, status);
  *flag = over;
  return MPI_SUCCESS;
}

static __attribute__((noinline)) int other_Test(MPI_Request *handle, int *flag,
                                                MPI_Status *status) {
  if (handle && flag && mpispec_status_is_there(status) && mpispec_simple_is_open() &&
      mpispec_simple_test(mpispec_request_words(handle), flag, mpispec_status_wanted(status)))
    return MPI_SUCCESS;
  if (__builtin_expect(mpispec_fast_path_disabled, 0))
    MPISPEC_JUMP biased_Test(handle, flag, status);
  MPISPEC_JUMP long_Test(handle, flag, status);
}

/* Nonzero for a simple receive whose lane is empty, if the budget of polls that find nothing is not
 * used up. */
static inline __attribute__((always_inline)) int test_waiting(const MPI_Request *handle) {
  if (!handle || !mpispec_simple_is_open() || !mpispec_state.empty_poll_budget ||
      !mpispec_receive_is_waiting((mpispec_handle)*handle))
    return 0;
  --mpispec_state.empty_poll_budget;
  return 1;
}

int MPI_Test(MPI_Request *handle, int *flag, MPI_Status *status) {
  if (flag && mpispec_status_is_there(status) && test_waiting(handle)) {
    *flag = 0;
    return MPI_SUCCESS;
  }
  MPISPEC_JUMP other_Test(handle, flag, status);
}

int MPI_Request_free(MPI_Request *handle) {
  mpispec_lock();
  struct mpispec_request *request = handle ? mpispec_request_find(*handle) : NULL;
  const int ours = request || (handle && *handle == mpispec_request_done);
  if (ours)
    *handle = MPI_REQUEST_NULL;
  if (request && !request->active)
    mpispec_request_end(request);
  else if (request && request->complete && request->kind == MPISPEC_SEND)
    mpispec_request_end(request);
  else if (request)
    release(request);
  mpispec_unlock();
  return ours ? MPI_SUCCESS : mpispec_next.Request_free(handle);
}

int MPI_Request_get_status(MPI_Request handle, int *flag, MPI_Status *status) {
  if (lacks(flag, handle) || lacks_status(status, handle))
    return refuse(MPI_ERR_ARG);
  mpispec_lock();
  struct mpispec_request *request = mpispec_request_find(handle);
  const int ours = request || handle == mpispec_request_done;
  mpispec_progress();
  if (ours) {
    *flag = !request || !request->active || mpispec_request_is_over(request);
    if (!request || !request->active)
      mpispec_status_set_empty(status);
    else if (*flag)
      mpispec_request_get_status(request, status);
    if (!*flag)
      mpispec_progress_idle();
  } else {
    mpispec_foreign_test_begin();
    mpispec_origin_note_test();
  }
  mpispec_unlock();
  return ours ? MPI_SUCCESS : mpispec_next.Request_get_status(handle, flag, status);
}

/* Cancels a receive whose message has not arrived. A send is never cancelled, because its message
 * may have been read, and MPI permits this choice. */
static void cancel(struct mpispec_request *request) {
  if (request->receive.reader && mpispec_request_is_over(request))
    return;
  mpispec_request_expand(request);
  mpispec_progress();
  if (request->complete || !request->active)
    return;
  if (request->in_library && !request->has_library_part) {
    PMPI_Cancel(&request->foreign[0]);
    return;
  }
  if (!request->lane && !request->listed)
    return;
  mpispec_receive_withdraw(request);
  mpispec_network_remove(request);
  request->result =
      (struct mpispec_result){.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG, .cancelled = 1};
  request->complete = 1;
}

/* Cancels the receive of an MPI_Isendrecv. */
static void cancel_half(MPI_Request *receive) {
  struct mpispec_request *request = mpispec_request_find(*receive);
  if (request)
    cancel(request);
  else if (*receive != MPI_REQUEST_NULL && *receive != mpispec_request_done)
    PMPI_Cancel(receive);
}

int MPI_Cancel(MPI_Request *handle) {
  mpispec_lock();
  struct mpispec_request *request = handle ? mpispec_request_find(*handle) : NULL;
  const int ours = request || (handle && *handle == mpispec_request_done);
  const int at_rest = request && !request->active;
  if (request && request->kind == MPISPEC_PAIR)
    cancel_half(&request->foreign[1]);
  else if (request)
    cancel(request);
  mpispec_unlock();
  if (at_rest)
    return refuse(MPI_ERR_REQUEST);
  return ours ? MPI_SUCCESS : mpispec_next.Cancel(handle);
}

#ifdef MPISPEC_STYLE_MPICH
MPISPEC_MPIF_INNER void mpif_wait(MPI_Request *request, MPI_Status *status, int *ierror) {
  *ierror = MPI_Wait(request, status);
}

MPISPEC_MPIF(wait, WAIT, (request, status, ierror), MPI_Request *request, MPI_Status *status,
             int *ierror) {
  MPISPEC_MPIF_GATE(wait, request, status, ierror);
  status = mpispec_mpif_status(status);
  if (!wait_without_lock(request, status))
    MPISPEC_JUMP mpif_wait(request, status, ierror);
  *ierror = MPI_SUCCESS;
}

/* A LOGICAL that is true is 1. After an error the flag is unchanged, as with the binding. */
MPISPEC_MPIF_INNER void mpif_test(MPI_Request *request, int *flag, MPI_Status *status,
                                  int *ierror) {
  int is_over;
  const int error = MPI_Test(request, &is_over, mpispec_mpif_status(status));
  if (!error)
    *flag = is_over != 0;
  *ierror = error;
}

MPISPEC_MPIF(test, TEST, (request, flag, status, ierror), MPI_Request *request, int *flag,
             MPI_Status *status, int *ierror) {
  MPISPEC_MPIF_GATE(test, request, flag, status, ierror);
  if (!test_waiting(request))
    MPISPEC_JUMP mpif_test(request, flag, status, ierror);
  *flag = 0;
  *ierror = MPI_SUCCESS;
}
#endif
