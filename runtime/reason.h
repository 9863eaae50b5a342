/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reasons for which this rank's calls all go to the MPI library, known before any message. */
#ifndef MPISPEC_RUNTIME_REASON_H
#define MPISPEC_RUNTIME_REASON_H

#include "job/environment.h"

/* The reason of this rank, a constant text, or null. `session_first`: the library was initialised
 * before MPI_Init. */
const char *mpispec_reason_find(const struct mpispec_environment *environment, int session_first);

/* Nonzero for a mistake of the person who built or started the program: it is reported without
 * MPISPEC_VERBOSE. */
int mpispec_reason_is_mistake(const char *reason);

/* Nonzero if this rank of MPI_COMM_WORLD reports the reason, or that there is none (null). One line
 * is enough where all ranks have the same. */
int mpispec_reason_is_reported(const char *reason, int rank);

#endif
