/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See window_calls.h. */
#include "interposition/library/window_calls.h"

#include "comm/communicator.h"
#include "job/node.h"
#include "progress/lock.h"
#include "progress/origin.h"
#include "progress/progress.h"

void mpispec_window_made(void) {
  mpispec_lock();
  mpispec_progress_note_window();
  mpispec_unlock();
}

/* The target of a call as a node rank, or one of the constants of origin.h. An invalid window or
 * rank is an error here already, and has no target. The library reports all errors of the call. */
static int find_target(MPI_Win win, int rank) {
  MPI_Group group = MPI_GROUP_NULL;
  int size = 0, peer = -1;
  if (win == MPI_WIN_NULL || PMPI_Win_get_group(win, &group))
    return MPISPEC_NO_TARGET;
  PMPI_Group_size(group, &size);
  if (rank >= 0 && rank < size)
    mpispec_communicator_find_peers(group, rank, 1, &peer);
  PMPI_Group_free(&group);
  if (rank == MPISPEC_ALL_TARGETS)
    return size > 1 ? MPISPEC_ALL_TARGETS : MPISPEC_NO_TARGET;
  return peer >= 0 && peer != mpispec_node.rank ? peer : MPISPEC_NO_TARGET;
}

int mpispec_window_call_begin(MPI_Win win, int rank) {
  return mpispec_doorbells_used ? mpispec_origin_begin(find_target(win, rank)) : 0;
}

void mpispec_window_call_end(int outer, int error, int epochs) {
  if (!mpispec_doorbells_used)
    return;
  mpispec_origin_end(outer);
  if (!error)
    mpispec_origin_count_epochs(epochs);
}
