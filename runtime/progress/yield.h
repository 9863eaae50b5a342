/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Yielding the core to other threads of the machine. */
#ifndef MPISPEC_RUNTIME_YIELD_H
#define MPISPEC_RUNTIME_YIELD_H

#include <stdint.h>

/* Yields the core. A thread that yields forfeits the rest of its time slice (Linux 6.6 and later).
 * A polling rank has used little of its slice, and would get little time if its processor also runs
 * a program that computes. Therefore a thread requests the shortest slices before its first yield.
 * Its share of the processor stays the same. */
void mpispec_yield(void);

/* For a wait that no writer ends by a doorbell (doorbell.h), and that has yielded in vain since
 * `begin` (mpispec_ticks). If that is long, and ranks of the node sleep, the thread sleeps for a
 * small part of that time. The wait becomes that part longer at most, and ranks that compute get
 * the processor. In a program with windows, an origin can end this sleep (origin.h). Returns 0 if
 * the thread has not slept. */
int mpispec_nap_in_wait(uint64_t begin);

/* From now on no thread requests shorter time slices (MPISPEC_YIELD=never). */
void mpispec_yield_keep_slices(void);

#endif
