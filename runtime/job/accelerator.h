/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory of accelerators: programs may pass it to MPI libraries that support it. The processor
 * cannot copy it, or must not. Therefore each call queries the accelerator's library for the place
 * of its buffers, and only the MPI library copies memory that is not host memory. */
#ifndef MPISPEC_RUNTIME_ACCELERATOR_H
#define MPISPEC_RUNTIME_ACCELERATOR_H

#include "job/environment.h"

/* Nonzero if this rank makes these queries. Otherwise all of its buffers count as host memory. */
extern int mpispec_accelerator_is_queried __attribute__((visibility("hidden")));

/* The number of this rank's sent messages, and of its collective operations, that the MPI library
 * has executed because a buffer may be an accelerator's. */
struct mpispec_accelerator_counts {
  unsigned long messages, operations;
};
extern struct mpispec_accelerator_counts mpispec_accelerator_counts
    __attribute__((visibility("hidden")));

/* The name of an accelerator's library or function in this process. Null if there is none, or if
 * the user has set that all buffers are host memory. */
const char *mpispec_accelerator_find(const struct mpispec_environment *environment);

/* Called after PMPI_Init. Begins the queries if there is such a library. Returns null, or the
 * reason as text for the user if the library has no function for them. */
const char *mpispec_accelerator_open(const struct mpispec_environment *environment);

/* Nonzero if the byte at this address is host memory, which the processor may copy. It is 0 also
 * where the answer is unknown. Called while this rank makes queries. */
int mpispec_accelerator_is_host(const void *address);

/* The first function prints that calls make queries. The second one prints
 * mpispec_accelerator_counts. */
void mpispec_accelerator_report(void);
void mpispec_accelerator_report_end(void);

#endif
