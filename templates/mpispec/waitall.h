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
#include "receipt.h"

/* The one body, out of line: loops gain nothing at the call. All requests, or none; `statuses` is
 * null if they are not wanted. */
static __attribute__((__noinline__, __unused__, __no_instrument_function__)) int
mpispec_Waitall(long long count, void *requests, struct mpispec_status *statuses) {
  const unsigned long stride = statuses ? sizeof *statuses : 0;
  int *handles = (int *)requests;
  unsigned int i;
  if (!mpispec_call_has_lanes() || !requests || count < 0)
    return 0;
  for (i = 0; i < (unsigned int)count; ++i) {
    mpispec_stay_rolled(&i);
    if (!mpispec_handle_is_sent(handles[i]) && !mpispec_receipt_find(handles[i]))
      return 0;
  }
  for (; i; --i) {
    mpispec_stay_rolled(&i);
    (void)mpispec_handle_end(handles++, statuses);
    statuses = (struct mpispec_status *)((char *)statuses + stride);
  }
  return 1;
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
