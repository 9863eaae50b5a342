/* wait.h - MPI_Wait
 *
 * Completes one request (MPI-4.0, section 3.7.3).
 *
 *   Wait [the request is null, or was over when it was made] -> the request is null
 *   Wait [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   ignore   the status is MPI_STATUS_IGNORE
 *   generic  nothing
 */
#ifndef MPISPEC_WAIT_H
#define MPISPEC_WAIT_H

#include "call.h"
#include "receive.h"

/* The one body; `status` is null if it is not wanted. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Wait(void *request, struct mpispec_status *status) {
  int *handle = (int *)request;
  return mpispec_call_has_lanes() && handle && mpispec_handle_end(handle, status);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Wait_ignore(void *request, void *status) {
  return mpispec_status_is_ignored(status) && mpispec_Wait(request, 0);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Wait_generic(void *request, void *status) {
  return status && mpispec_Wait(request, mpispec_status_wanted(status));
}

#endif
