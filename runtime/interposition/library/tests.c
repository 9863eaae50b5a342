/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tests of operations that only the MPI library executes: MPI_Win_test, MPI_Win_sync and
 * MPI_Parrived. A program may call them in a loop while other ranks need this rank's progress.
 * Therefore they make progress. */
#include "abi/mpi.h"
#include "interposition/library/next.h"
#include "job/node.h"
#include "p2p/room.h"
#include "progress/library_polls.h"
#include "progress/library_progress.h"
#include "progress/lock.h"
#include "progress/progress.h"

/* With MPI_THREAD_MULTIPLE, several threads may call these tests in loops. Therefore they take the
 * lock only now and then. So do tests when no operation is pending: a sender may ask for room. */
static void make_progress(void) {
  static _Thread_local uint64_t last __attribute__((tls_model("initial-exec")));
  const int is_due = mpispec_pause_is_over(&last);
  const int must_yield = mpispec_node.size && mpispec_library_tests_spin();
  if (!is_due && !must_yield && (mpispec_lock_is_shared() || !mpispec_progress_is_pending()))
    return;
  mpispec_lock();
  mpispec_progress();
  if (is_due)
    mpispec_room_answer();
  if (must_yield)
    mpispec_progress_idle();
  mpispec_unlock();
}

/* The flag must be set if MPI_Win_wait would return: all ranks of the exposure epoch have called
 * MPI_Win_complete (MPI 4.0, 12.5.2). */
int MPI_Win_test(MPI_Win win, int *flag) {
  make_progress();
  return MPISPEC_AGAIN(flag, mpispec_next.Win_test(win, flag));
}

/* A program that waits for a word of its window calls this in a loop. That of Open MPI makes
 * progress. */
int MPI_Win_sync(MPI_Win win) {
  make_progress();
  return mpispec_next.Win_sync(win);
}

/* The flag must be set if the partition has been received (MPI 4.0, 4.2.2). */
int MPI_Parrived(MPI_Request request, int partition, int *flag) {
  make_progress();
  return mpispec_next.Parrived(request, partition, flag);
}
