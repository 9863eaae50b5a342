/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds out whether the process of a peer has ended. A wait examines the rank that it waits for
 * when it has lasted for MPISPEC_PEER_DOUBT, and again after each such time.
 *
 * A process that is stopped, by a signal or a debugger, has not ended. A zombie has: a pidfd shows
 * it (Linux 5.3), or its state in /proc. Where the system shows neither, a zombie counts as alive.
 */
#ifndef MPISPEC_RUNTIME_LIVENESS_H
#define MPISPEC_RUNTIME_LIVENESS_H

#include "progress/progress.h"
#include "shm/segment.h"

#include <stdint.h>

/* When a process began, in the system's unit; 0 if it cannot be read. */
uint64_t mpispec_process_start(int64_t process);

/* Whether the owner of this address has ended. Another process may have its number by now. */
int mpispec_process_has_ended(const struct mpispec_segment_address *address);

/* Called once, in MPI_Init and MPI_Finalize. */
void mpispec_liveness_open(void);
void mpispec_liveness_close(void);

/* Whether the process of a rank of this node has ended. The first call that finds it out prints a
 * line with the rank. With the lock held. */
int mpispec_peer_has_ended(int peer);

/* One wait. It begins with zeros. */
struct mpispec_vigil {
  uint64_t since; /* ticks: the wait's begin, or the last examination */
};

/* Nonzero if the awaited rank should be examined now. */
int mpispec_vigil_is_due(struct mpispec_vigil *vigil);

/* The same for a wait that counts its rounds: it reads the clock in few of them. */
static inline int mpispec_vigil_is_due_in(struct mpispec_vigil *vigil, unsigned round) {
  return mpispec_progress_is_time_to_doubt(round) && mpispec_vigil_is_due(vigil);
}

#endif
