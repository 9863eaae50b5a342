/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The return addresses above a call, by the unwinder of the compiler's library. It reads unwind
 * tables. Therefore it needs no frame pointers, and is right for frames that vary in size.
 * docs/Profile.md gives the time of a walk. */
#ifndef MPISPEC_RUNTIME_PROFILE_UNWINDER_H
#define MPISPEC_RUNTIME_PROFILE_UNWINDER_H

#include <stdint.h>

/* Called once. Returns nonzero if the process has the library. */
int mpispec_unwinder_open(void);

/* Returns nonzero to end the walk. `slot` is where the stack has the return address. */
typedef int mpispec_unwinder_visit(const void *address, uintptr_t slot, void *data);

/* Visits the return address `caller` of a call that this thread is in, and those above it. Without
 * the library, or if the tables end before `caller`, nothing is visited. */
void mpispec_unwinder_walk(const void *caller, mpispec_unwinder_visit *visit, void *data);

#endif
