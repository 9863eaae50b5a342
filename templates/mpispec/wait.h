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
#include "completion.h"

/* The one body; status_ignored is a constant in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Wait(void *request, void *status, int status_ignored) {
  int *handle = (int *)request;
  return mpispec_call_has_lanes() && handle && status &&
         mpispec_handle_end(handle, status_ignored ? 0 : mpispec_status_wanted(status));
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Wait_ignore(void *request, void *status) {
  return mpispec_Wait(request, status, 1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Wait_generic(void *request, void *status) {
  return mpispec_Wait(request, status, 0);
}

#endif
