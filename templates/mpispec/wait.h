/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* wait.h - MPI_Wait
 *
 * Completes one request (MPI-4.0, section 3.7.3).
 *
 *   Wait [the request is null, or complete: a receive that the runtime can complete at once, or a
 *         send that was complete when it was made] -> the request is null
 *   Wait [otherwise] -> the ordinary call
 *
 * The completion of such a send is inline if its status is ignored. All else is done by a function
 * of the runtime, whose address is in the state. */
#ifndef MPISPEC_WAIT_H
#define MPISPEC_WAIT_H

#include "call.h"
#include "receive.h"

/* `known` is a constant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Wait(void *request, void *status, enum mpispec_status_known known) {
  return mpispec_call_may_use_lanes() && request && mpispec_status_fits(status, known) &&
         mpispec_handle_complete((mpispec_handle *)request, mpispec_status_used(status, known));
}

#endif
