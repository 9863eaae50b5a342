/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* waitall.h - MPI_Waitall
 *
 * Completes all requests of an array (MPI-4.0, section 3.7.5).
 *
 *   Waitall [all requests are null, or complete: receives that the runtime can complete at once, or
 *            sends that were complete when they were made] -> all are null
 *   Waitall [otherwise] -> the ordinary call
 */
#ifndef MPISPEC_WAITALL_H
#define MPISPEC_WAITALL_H

#include "call.h"
#include "receive.h"

/* `known` is a constant. A pending request may follow requests that the template has completed. The
 * completed requests are null now, and the ordinary call would overwrite their statuses. Therefore
 * the ordinary call begins behind them. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Waitall(long long count, void *requests, void *statuses, enum mpispec_status_known known) {
  struct mpispec_status *wanted = mpispec_status_used(statuses, known);
  unsigned int ended;
  if (!mpispec_call_may_use_lanes() || !requests || count < 0 ||
      !mpispec_status_fits(statuses, known))
    return 0;
  ended = mpispec_state.complete_prefix((unsigned int)count, (mpispec_handle *)requests, wanted);
  if (ended == (unsigned int)count)
    return 1;
  mpispec_state.completed = wanted ? ended : 0;
  return 0;
}

#endif
