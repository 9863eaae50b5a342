/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds out whether the process of a peer has ended. A wait examines the awaited rank after
 * MPISPEC_PEER_CHECK_INTERVAL, and again each time that so much time has passed.
 *
 * A process that is stopped, by a signal or a debugger, has not ended. A zombie has ended. It is
 * detected by a pidfd (Linux 5.3) or by its state in /proc. If the system provides neither, a
 * zombie counts as alive. */
#ifndef MPISPEC_RUNTIME_LIVENESS_H
#define MPISPEC_RUNTIME_LIVENESS_H

#include "progress/progress.h"
#include "shm/segment.h"

#include <stdint.h>

/* The time at which a process began, in clock ticks since boot (/proc/<pid>/stat). 0 if it cannot
 * be read. */
uint64_t mpispec_process_start(int64_t process);

/* Whether the process of this descriptor (pidfd) has ended. If the program has closed the
 * descriptor, and perhaps opened a file with its number, this is not known, and the result is
 * 0. */
int mpispec_descriptor_has_ended(int process);

/* Closes a pidfd, unless the program has closed it. */
void mpispec_descriptor_close(int process);

/* Whether the owner of this address has ended. Another process may have its number by now. */
int mpispec_process_has_ended(const struct mpispec_segment_address *address);

/* Called in MPI_Init and MPI_Finalize, once each. */
void mpispec_liveness_open(void);
void mpispec_liveness_close(void);

/* Whether the process of a rank of this node has ended. The first call that detects this end prints
 * a line with the rank. Called with the lock held. */
int mpispec_peer_has_ended(int peer);

/* Like mpispec_peer_has_ended, but examines the rank in every call. */
int mpispec_peer_has_ended_now(int peer);

/* The state of one wait, initially zeros. */
struct mpispec_vigil {
  uint64_t since; /* ticks: the wait's begin, or the last examination */
};

/* Nonzero if the awaited rank should be examined now. */
int mpispec_vigil_is_due(struct mpispec_vigil *vigil);

/* Like mpispec_vigil_is_due, for a wait that counts its rounds. The clock is read in few rounds
 * only. */
static inline int mpispec_vigil_is_due_in(struct mpispec_vigil *vigil, unsigned round) {
  return mpispec_progress_is_time_to_check_peers(round) && mpispec_vigil_is_due(vigil);
}

#endif
