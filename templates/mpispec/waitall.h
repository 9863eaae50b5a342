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
#include "receive.h"

/* The one body. `statuses` is null if they are not wanted; if they are, those of the requests that
 * were ended before one that is not over would be lost, as null requests have statuses of their
 * own: so the ordinary call begins behind them. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Waitall(long long count, void *requests, struct mpispec_status *statuses) {
  unsigned int ended;
  if (!mpispec_call_has_lanes() || !requests || count < 0)
    return 0;
  ended = mpispec_state.end_all((unsigned int)count, (int *)requests, statuses);
  if (ended == (unsigned int)count)
    return 1;
  mpispec_state.ended = statuses ? ended : 0;
  return 0;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Waitall_ignore(long long count, void *requests, void *statuses) {
  return mpispec_status_is_ignored(statuses) && mpispec_Waitall(count, requests, 0);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_Waitall_generic(long long count, void *requests, void *statuses) {
  return statuses && mpispec_Waitall(count, requests, mpispec_status_wanted(statuses));
}

#endif
