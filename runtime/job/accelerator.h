/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Device pointers: programs may pass memory of an accelerator to MPI libraries that support it. The
 * runtime cannot copy such memory. */
#ifndef MPISPEC_RUNTIME_ACCELERATOR_H
#define MPISPEC_RUNTIME_ACCELERATOR_H

/* Returns null if no buffer can be device memory, else the reason as text for the user. Called
 * after PMPI_Init. */
const char *mpispec_accelerator(void);

#endif
