/* Whether this rank shares its processor, and therefore must yield after few polls.
 *
 * Two sources, of which either suffices:
 *
 * - Affinity masks and quotas of the node's ranks (processors.h). They are read at Init, and again
 *   when a wait turns long, because programs and OpenMP bind threads later.
 * - A yield that let another thread run. The kernel counts it as an involuntary context switch.
 *   Other jobs and threads of the program appear in no mask.
 *
 * Only this rank's waiting depends on it. Protocols on which ranks must agree, such as the layout
 * of chunks in collective operations, depend on mpispec_oversubscription_at_init, and all members
 * of a communicator compare it first.
 *
 * Time that a hypervisor takes from the machine (steal) does not count: a yield does not return a
 * virtual processor to it. */
#ifndef MPISPEC_RUNTIME_OVERSUBSCRIPTION_H
#define MPISPEC_RUNTIME_OVERSUBSCRIPTION_H

#include <stdatomic.h>

/* Nonzero while this rank shares its processor. Any thread may read it. */
extern _Atomic int mpispec_oversubscribed __attribute__((visibility("hidden")));
static inline int mpispec_is_oversubscribed(void) {
  return atomic_load_explicit(&mpispec_oversubscribed, memory_order_relaxed);
}

/* Before Init, when masks are not known: as far as the launcher says. */
void mpispec_oversubscription_guess(int is_oversubscribed);

/* At Init. `read_masks` reads them again and returns whether the node is oversubscribed. */
void mpispec_oversubscription_open(int at_init, int (*read_masks)(void));

/* Masks can no longer be read; the rest goes on, for the library's Finalize. */
void mpispec_oversubscription_close(void);

/* The result of the masks at Init. */
int mpispec_oversubscription_at_init(void);

/* sched_yield, by a thread of the program that waits. Samples whether another thread ran. */
void mpispec_oversubscription_yield(void);

/* In a long wait that does not yield: counts involuntary context switches, reads masks again. */
void mpispec_oversubscription_look(void);

#endif
