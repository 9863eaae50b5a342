/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory of accelerators: programs may pass it to MPI libraries that support it. The processor
 * cannot copy it, or must not. Each call therefore asks the accelerator's library where its buffers
 * are, and only the MPI library copies what is not host memory. */
#ifndef MPISPEC_RUNTIME_ACCELERATOR_H
#define MPISPEC_RUNTIME_ACCELERATOR_H

#include "job/environment.h"

/* Nonzero if this rank asks. Otherwise all of its buffers are host memory. */
extern int mpispec_accelerator_asks __attribute__((visibility("hidden")));

/* Messages that this rank has sent, and collective operations, which the MPI library has carried
 * because a buffer may be an accelerator's. */
struct mpispec_accelerator_counts {
  unsigned long messages, operations;
};
extern struct mpispec_accelerator_counts mpispec_accelerator_counts
    __attribute__((visibility("hidden")));

/* The name of an accelerator's library or function in this process. Null if there is none, or if
 * the user says that all buffers are host memory. */
const char *mpispec_accelerator_find(const struct mpispec_environment *environment);

/* Called after PMPI_Init. Begins to ask if there is such a library. Returns null, or the reason as
 * text for the user if the library has no function that can be asked. */
const char *mpispec_accelerator_open(const struct mpispec_environment *environment);

/* Nonzero if the byte at this address is host memory, which the processor may copy. It is 0 also
 * where the answer is unknown. Called while this rank asks. */
int mpispec_accelerator_is_host(const void *address);

/* Both print a line: that calls ask, and what `mpispec_accelerator_counts` says. */
void mpispec_accelerator_report(void);
void mpispec_accelerator_report_end(void);

#endif
