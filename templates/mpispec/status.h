/* status.h - the reading and writing of statuses by templates
 *
 * Their layout is the unit's (handle.h). A template writes a status only if there are lanes, and
 * the runtime opens none over an MPI library with another layout (runtime/abi/library.h). */
#ifndef MPISPEC_STATUS_H
#define MPISPEC_STATUS_H

#include "contract.h"

static __inline__ __attribute__((__always_inline__, __unused__,
                                 __no_instrument_function__)) struct mpispec_status *
mpispec_status_wanted(void *status) {
  return mpispec_status_is_ignored(status) ? (struct mpispec_status *)0
                                           : (struct mpispec_status *)status;
}

/* What a template gets for a status that the program never reads: none is wanted. A mistake stays
 * one. The ordinary call gets the program's. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void *
mpispec_status_unread(void *status) {
  return mpispec_status_is_there(status) ? mpispec_status_ignore() : status;
}

/* What is proven about a completion's status, or its array of them. */
enum mpispec_status_known { mpispec_status_dynamic, mpispec_status_ignored };

/* Is the status what was proven, and no mistake? `known` is a constant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_status_fits(const void *status, enum mpispec_status_known known) {
  return known == mpispec_status_ignored ? mpispec_status_is_ignored(status)
                                         : mpispec_status_is_there(status);
}

/* One that fits, or null if nobody wants it. */
static __inline__ __attribute__((__always_inline__, __unused__,
                                 __no_instrument_function__)) struct mpispec_status *
mpispec_status_used(void *status, enum mpispec_status_known known) {
  return known == mpispec_status_ignored ? (struct mpispec_status *)0
                                         : mpispec_status_wanted(status);
}

#endif
