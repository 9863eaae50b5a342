/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Yielding the core to other threads of the machine. */
#ifndef MPISPEC_RUNTIME_YIELD_H
#define MPISPEC_RUNTIME_YIELD_H

/* Yields the core. A thread that yields forfeits the rest of its time slice (Linux 6.6 and later).
 * A polling rank has used little of its slice, and would hardly run beside a program that computes.
 * Therefore a thread whose yield has lasted for long requests the shortest slices, and so do its
 * next waits. Its share of the processor stays the same. */
void mpispec_yield(void);

/* Called when a wait ends: the thread gets back the slices that it had. The program computes with
 * its own slices. */
extern _Thread_local int mpispec_slices_are_short __attribute__((tls_model("initial-exec")));
void mpispec_slices_set_back(void);
static inline void mpispec_slices_restore(void) {
  if (__builtin_expect(mpispec_slices_are_short, 0))
    mpispec_slices_set_back();
}

#endif
