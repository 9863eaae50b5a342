/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* status.h - the reading and writing of statuses by templates
 *
 * Their layout is that of the unit's <mpi.h> (handle.h). A template writes a status only if there
 * are lanes, and the runtime opens no lanes if the MPI library has another layout
 * (runtime/abi/layout.h). */
#ifndef MPISPEC_STATUS_H
#define MPISPEC_STATUS_H

#include "contract.h"

static __inline__ __attribute__((__always_inline__, __unused__,
                                 __no_instrument_function__)) struct mpispec_status *
mpispec_status_wanted(void *status) {
  return mpispec_status_is_ignored(status) ? (struct mpispec_status *)0
                                           : (struct mpispec_status *)status;
}

/* The status that a template gets if the program never reads it: MPI_STATUS_IGNORE. An invalid
 * pointer stays invalid. The ordinary call gets the program's pointer. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void *
mpispec_status_unread(void *status) {
  return mpispec_status_is_there(status) ? mpispec_status_ignore() : status;
}

/* The proven fact about a completion's status, or about its array of statuses. */
enum mpispec_status_known { mpispec_status_dynamic, mpispec_status_ignored };

/* Nonzero if the status is as proven, and valid. `known` is a constant. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int
mpispec_status_fits(const void *status, enum mpispec_status_known known) {
  return known == mpispec_status_ignored ? mpispec_status_is_ignored(status)
                                         : mpispec_status_is_there(status);
}

/* The status to be filled in, or null if it is ignored. */
static __inline__ __attribute__((__always_inline__, __unused__,
                                 __no_instrument_function__)) struct mpispec_status *
mpispec_status_used(void *status, enum mpispec_status_known known) {
  return known == mpispec_status_ignored ? (struct mpispec_status *)0
                                         : mpispec_status_wanted(status);
}

#endif
