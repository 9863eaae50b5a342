/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Progress of the MPI library. MPI has no function for progress alone. All functions are called
 * with the lock held, except mpispec_pause_is_over. */
#ifndef MPISPEC_RUNTIME_LIBRARY_PROGRESS_H
#define MPISPEC_RUNTIME_LIBRARY_PROGRESS_H

#include "abi/mpi.h"
#include "mpispec/machine.h"
#include "progress/ticks.h"
#include "progress/tuning.h"

#include <stdint.h>

/* Called in MPI_Init and MPI_Finalize, once each. */
void mpispec_library_progress_open(void);
void mpispec_library_progress_close(void);

/* Makes the MPI library poll all its pending operations once. The library may call functions of the
 * program, such as the MPI_Op of a pending MPI_Iallreduce, and these may wait for another thread.
 * Therefore the function releases a shared lock meanwhile, except within a callback. The second
 * function keeps the lock. */
void mpispec_library_progress(void);
void mpispec_library_progress_with_lock(void);

/* Makes progress with one request of the library, and does not complete it. Some requests make
 * progress only when they are tested themselves. A request that has failed is completed. Then the
 * result is its error, and `*request` and `*status` are set as by MPI_Test. */
int mpispec_library_progress_of(MPI_Request *request, MPI_Status *status);

extern uint64_t mpispec_library_progress_at /* the last time, in ticks */
    __attribute__((visibility("hidden")));

/* Nonzero if the last mpispec_library_progress was more than `pause` nanoseconds ago. */
static inline int mpispec_library_progress_is_due(uint64_t pause) {
  return mpispec_ticks() - mpispec_library_progress_at > mpispec_ticks_in(pause);
}

/* The same for a caller with a time of its own, `*last`, and MPISPEC_LIBRARY_PROGRESS_PAUSE. If the
 * result is nonzero, `*last` becomes the present time. */
static inline int mpispec_pause_is_over(uint64_t *last) {
  const uint64_t now = mpispec_ticks();
  if (now - *last <= mpispec_ticks_in(MPISPEC_LIBRARY_PROGRESS_PAUSE))
    return 0;
  *last = now;
  return 1;
}

#endif
