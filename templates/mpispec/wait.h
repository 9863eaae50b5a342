/* wait.h - MPI_Wait
 *
 * Completes one request (MPI-4.0, section 3.7.3).
 *
 *   Wait [the request is null, or over: a receive that the runtime can end at once, or a send that
 *         was over when it was made] -> the request is null
 *   Wait [otherwise] -> the ordinary call
 *
 * At the call is the end of such a send, if nobody wants its status; the rest is the runtime's,
 * which the state knows.
 */
#ifndef MPISPEC_WAIT_H
#define MPISPEC_WAIT_H

#include "call.h"
#include "receive.h"

/* `known` is a constant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Wait(void *request, void *status, enum mpispec_status_known known) {
  return mpispec_call_has_lanes() && request && mpispec_status_fits(status, known) &&
         mpispec_handle_end((mpispec_handle *)request, mpispec_status_used(status, known));
}

#endif
