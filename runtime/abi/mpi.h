/* <mpi.h> of the library that this runtime is compiled for, with all that the runtime mentions: a
 * library of MPI-3 lacks some functions.
 *
 * abi/lacking.h, written when the build is configured, declares those under names of ours, so that
 * they are compiled, called by nobody, and hidden: what asks whether MPI has MPI_Send_c shall hear
 * the truth. The few that the runtime itself calls are in lacking.c.
 *
 * Functions of MPI-4.1 are taken where abi/lacking.h defines MPISPEC_HAS_MPI_4_1: in runtimes for
 * libraries that have them. Of libraries with MPICH's handles some have them and some have not, and
 * a program that asks whether there is such a function shall hear the truth: so there are two
 * runtimes, by one <mpi.h>, which may be older or younger. References to PMPI are weak, for the
 * program may still meet an older library. */
#ifndef MPISPEC_RUNTIME_MPI_H
#define MPISPEC_RUNTIME_MPI_H

/* MPI's functions are seen by all; whatever else is not static is hidden. */
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#include "abi/lacking.h"

#ifndef MPI_BUFFER_AUTOMATIC
#define MPI_BUFFER_AUTOMATIC ((void *)-2) /* MPICH's, since 4.2 */
#endif

#endif
