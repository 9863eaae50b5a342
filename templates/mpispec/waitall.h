/* waitall.h - MPI_Waitall
 *
 * Completes all requests of an array (MPI-4.0, section 3.7.5).
 *
 *   Waitall [all requests are null, or were over when they were made] -> all are null
 *   Waitall [otherwise] -> the ordinary call
 *
 * A variant's name says what must be proven about the call:
 *   ignore   the statuses are MPI_STATUSES_IGNORE
 *   generic  nothing
 */
#ifndef MPISPEC_WAITALL_H
#define MPISPEC_WAITALL_H

#include "call.h"
#include "completion.h"

/* The one body; status_ignored is a constant in every variant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Waitall(long long count, void *requests, void *statuses, int status_ignored) {
  int *handles = (int *)requests;
  struct mpispec_status *wanted = status_ignored ? 0 : mpispec_status_wanted(statuses);
  unsigned int i;
  if (!mpispec_call_has_lanes() || !handles || !statuses || count < 0)
    return 0;
  for (i = 0; i < (unsigned int)count; ++i) {
    mpispec_stay_rolled(&i);
    if (!mpispec_handle_is_over(handles[i]))
      return 0;
  }
  for (i = 0; i < (unsigned int)count; ++i) {
    mpispec_stay_rolled(&i);
    mpispec_handle_finish(&handles[i], wanted ? &wanted[i] : 0);
  }
  return 1;
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
