/* wait.h - MPI_Wait
 *
 * Completes one request (MPI-4.0, section 3.7.3).
 *
 *   Wait [the request was made by a lane] -> progress until it is complete
 *   Wait [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   ignore   the status is MPI_STATUS_IGNORE
 *   generic  nothing
 */
#ifndef MPISPEC_WAIT_H
#define MPISPEC_WAIT_H

#include "call.h"

/* The one body; status_ignored is a constant in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Wait(void *request, void *status, int status_ignored) {
  (void)request;
  (void)status;
  (void)status_ignored;
  if (!mpispec_call_has_lanes())
    return 0;
  /* There is no lane to take yet: the caller makes the ordinary call. */
  return 0;
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
