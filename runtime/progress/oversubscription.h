/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether this rank shares its processor, and therefore must yield after few polls.
 *
 * Either of two sources suffices:
 *
 * - Affinity masks and quotas of the node's ranks (processors.h). They are read in MPI_Init, and
 *   again when a wait becomes long, because programs and OpenMP may bind threads later.
 * - A yield during which another thread ran. The kernel counts it as an involuntary context switch.
 *   This source also detects other jobs, and threads of the program, which are in no mask.
 *
 * The result affects only the waits of this rank. Protocols on which ranks must agree, such as the
 * layout of chunks in collective operations, use mpispec_oversubscription_at_init. All members of a
 * communicator compare that value first.
 *
 * Time that a hypervisor takes from the machine (steal) does not count, because a yield does not
 * return a virtual processor to the hypervisor. */
#ifndef MPISPEC_RUNTIME_OVERSUBSCRIPTION_H
#define MPISPEC_RUNTIME_OVERSUBSCRIPTION_H

#include <stdatomic.h>

/* Nonzero while this rank shares its processor. Any thread may read it. */
extern _Atomic int mpispec_oversubscribed __attribute__((visibility("hidden")));
static inline int mpispec_is_oversubscribed(void) {
  return atomic_load_explicit(&mpispec_oversubscribed, memory_order_relaxed);
}

/* Sets the result before MPI_Init has read masks, from the launcher's data. */
void mpispec_oversubscription_guess(int is_oversubscribed);

/* Called in MPI_Init with the result of the masks. `read_masks` reads them again and returns
 * whether the node is oversubscribed. */
void mpispec_oversubscription_open(int at_init, int (*read_masks)(void));

/* Stops the reading of masks. Sampling continues during the MPI library's finalization. */
void mpispec_oversubscription_close(void);

/* The result of the masks in MPI_Init. */
int mpispec_oversubscription_at_init(void);

/* Calls sched_yield for a waiting thread of the program, and samples whether another thread ran. */
void mpispec_oversubscription_yield(void);

/* Called in a long wait that does not yield: counts involuntary context switches and reads the
 * masks again. */
void mpispec_oversubscription_check(void);

/* Called after a sleep: reads the masks again. Counts a sample without a switch, because a rank
 * that sleeps gets no other samples: it may never yield. */
void mpispec_oversubscription_refresh(void);

/* The number of this thread's involuntary context switches. A system call. */
long mpispec_oversubscription_switches(void);

#endif
