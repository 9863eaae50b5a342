/* <mpi.h> of the library that this runtime is compiled for, with all that the runtime mentions: a
 * library of MPI-3 lacks some functions.
 *
 * abi/lacking.h, written when the build is configured, declares those under names of ours, so that
 * they are compiled, called by nobody, and hidden: what asks whether MPI has MPI_Send_c shall hear
 * the truth. The few that the runtime itself calls are in lacking.c. */
#ifndef MPISPEC_RUNTIME_MPI_H
#define MPISPEC_RUNTIME_MPI_H

/* MPI's functions are seen by all; whatever else is not static is hidden. */
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#include "abi/lacking.h"

#endif
