/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blocking functions of the MPI library to which the runtime only adds progress. While the program
 * waits in one, the helper polls the pending operations (helper.h). The table is Blocking.def. */
#include "abi/mpi.h"
#include "comm/communicator.h"
#include "interposition/library/next.h"
#include "progress/lock.h"
#include "progress/origin.h"
#include "progress/progress.h"

#define BLOCKING(NAME, PARAMETERS, ARGUMENTS)                                                      \
  int MPI_##NAME PARAMETERS { return MPISPEC_IN_LIBRARY(mpispec_next.NAME ARGUMENTS); }

/* --- windows -----------------------------------------------------------------------------------*/

#define WINDOW(NAME, PARAMETERS, ARGUMENTS)                                                        \
  int MPI_##NAME PARAMETERS {                                                                      \
    const int error = MPISPEC_IN_LIBRARY(mpispec_next.NAME ARGUMENTS);                             \
    mpispec_lock();                                                                                \
    if (!error)                                                                                    \
      mpispec_progress_note_window();                                                              \
    mpispec_unlock();                                                                              \
    return error;                                                                                  \
  }

/* The group of a window, or MPI_GROUP_NULL. An invalid window is an error here already. The library
 * reports all other errors of the call. */
static MPI_Group group_of(MPI_Win win, int *size) {
  MPI_Group group = MPI_GROUP_NULL;
  *size = 0;
  if (win != MPI_WIN_NULL && !PMPI_Win_get_group(win, &group))
    PMPI_Group_size(group, size);
  return group;
}

static int find_target(MPI_Win win, int rank) {
  int size, peer = -1;
  MPI_Group group = group_of(win, &size);
  if (rank >= 0 && rank < size)
    mpispec_communicator_find_peers(group, rank, 1, &peer);
  if (size)
    PMPI_Group_free(&group);
  return peer >= 0 && peer != mpispec_node.rank ? peer : MPISPEC_NO_TARGET;
}

static int find_targets(MPI_Win win) {
  int size;
  MPI_Group group = group_of(win, &size);
  if (size)
    PMPI_Group_free(&group);
  return size > 1 ? MPISPEC_ALL_TARGETS : MPISPEC_NO_TARGET;
}

#define FOR_TARGETS(NAME, PARAMETERS, ARGUMENTS, EPOCHS, FOUND)                                    \
  int MPI_##NAME PARAMETERS {                                                                      \
    if (!mpispec_doorbells_used)                                                                   \
      return MPISPEC_IN_LIBRARY(mpispec_next.NAME ARGUMENTS);                                      \
    const int outer = mpispec_origin_begin(FOUND);                                                 \
    const int error = MPISPEC_IN_LIBRARY(mpispec_next.NAME ARGUMENTS);                             \
    mpispec_origin_end(outer);                                                                     \
    if (!error)                                                                                    \
      mpispec_origin_count_epochs(EPOCHS);                                                         \
    return error;                                                                                  \
  }
#define TARGET(NAME, PARAMETERS, ARGUMENTS, EPOCHS)                                                \
  FOR_TARGETS(NAME, PARAMETERS, ARGUMENTS, EPOCHS, find_target(win, rank))
#define TARGETS(NAME, PARAMETERS, ARGUMENTS, EPOCHS)                                               \
  FOR_TARGETS(NAME, PARAMETERS, ARGUMENTS, EPOCHS, find_targets(win))

#include "interposition/library/Blocking.def"
