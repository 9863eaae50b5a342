/* waitall.h - MPI_Waitall
 *
 * Completes all requests of an array (MPI-4.0, section 3.7.5).
 *
 *   Waitall [all requests were made by lanes] -> progress until they are complete
 *   Waitall [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   ignore   the statuses are MPI_STATUSES_IGNORE
 *   generic  nothing
 */
#ifndef MPISPEC_WAITALL_H
#define MPISPEC_WAITALL_H

#include "call.h"

/* The one body; status_ignored is a constant in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Waitall(long long count, void *requests, void *statuses, int status_ignored) {
  (void)count;
  (void)requests;
  (void)statuses;
  (void)status_ignored;
  if (!mpispec_call_has_lanes())
    return 0;
  /* There is no lane to take yet: the caller makes the ordinary call. */
  return 0;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Waitall_ignore(long long count, void *requests, void *statuses) {
  return mpispec_Waitall(count, requests, statuses, 1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Waitall_generic(long long count, void *requests, void *statuses) {
  return mpispec_Waitall(count, requests, statuses, 0);
}

#endif
