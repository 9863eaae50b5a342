/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The reason why all calls of this rank go to the MPI library, if it is found before the rank sends
 * a message. */
#ifndef MPISPEC_RUNTIME_REASON_H
#define MPISPEC_RUNTIME_REASON_H

#include "job/environment.h"

/* The reason of this rank, a constant text, or null. `session_first`: the library was initialised
 * before MPI_Init. */
const char *mpispec_reason_find(const struct mpispec_environment *environment, int session_first);

/* Nonzero for a mistake of the person who built or started the program. This reason is reported
 * even without MPISPEC_VERBOSE. */
int mpispec_reason_is_mistake(const char *reason);

/* Nonzero if this rank of MPI_COMM_WORLD reports the reason, or that there is none (null). One line
 * is enough if all ranks have the same reason. */
int mpispec_reason_is_reported(const char *reason, int rank);

#endif
