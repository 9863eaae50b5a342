/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A check of allocations without which the runtime cannot continue. */
#ifndef MPISPEC_RUNTIME_MEMORY_H
#define MPISPEC_RUNTIME_MEMORY_H

/* Returns `memory`. If it is null, prints a message and ends the job. */
void *mpispec_check_allocation(void *memory);

#endif
