/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See reason.h. */
#include "reason.h"

#include "abi/library.h"
#include "interposition/fortran/bypass.h"
#include "interposition/library/next.h"
#include "job/launcher.h"
#include "job/node.h"

#include <string.h>

static const char switched_off[] = "switched off";

const char *mpispec_reason_find(const struct mpispec_environment *environment, int session_first) {
  if (environment->mode == MPISPEC_MODE_OFF)
    return switched_off;
  if (session_first)
    return "a session came before MPI_Init"; /* too late to announce */
  if (mpispec_library_mixture())
    return mpispec_library_mixture();
  const char *tool = mpispec_tool_behind();
  return tool ? tool : mpispec_fortran_bypass();
}

int mpispec_reason_is_mistake(const char *reason) {
  return reason && (reason == mpispec_node_alone || reason == mpispec_node_unlaunched ||
                    reason == mpispec_library_mixture());
}

/* Rank 0 reports. Another rank also reports its reason, unless all ranks certainly have that one.
 * If each process is rank 0 of its own MPI_COMM_WORLD, the process with the launcher's rank 1
 * reports. */
int mpispec_reason_is_reported(const char *reason, int rank) {
  if (reason == mpispec_node_alone)
    return mpispec_launcher_rank() && !strcmp(mpispec_launcher_rank(), "1");
  return rank == 0 || (reason && reason != switched_off && reason != mpispec_library_mixture());
}
