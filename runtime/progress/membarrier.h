/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* membarrier(2): a full fence on all running threads of this process. If one of two sides seldom
 * runs, it executes this fence for both. Then the other side needs no fence of its own. */
#ifndef MPISPEC_RUNTIME_MEMBARRIER_H
#define MPISPEC_RUNTIME_MEMBARRIER_H

/* Registers the process. Returns 0 if the system refuses. Any number of calls is allowed. */
int mpispec_membarrier_register(void);

/* Executes the fence. Returns 0 if the system refuses. */
int mpispec_membarrier(void);

#endif
