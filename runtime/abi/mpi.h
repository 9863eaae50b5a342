/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* <mpi.h> of the library for which this runtime is compiled, with all functions that the runtime
 * mentions. A library of MPI-3 lacks some of them.
 *
 * The configuration of the build writes abi/lacking.h. It declares the missing functions under
 * names of this project, so that the code compiles. They are hidden. Therefore a program that tests
 * whether MPI has MPI_Send_c gets the right answer. The runtime calls only a few of the missing
 * functions, which lacking.c defines.
 *
 * The runtime defines functions of MPI-4.1 only if abi/lacking.h defines MPISPEC_HAS_MPI_4_1. Some
 * libraries with MPICH's handles have these functions and others do not, and a program that tests
 * for them must get the right answer. Therefore there are two runtimes for MPICH. Both are compiled
 * with one <mpi.h>, which may be older or newer than the library. References to PMPI functions of
 * MPI-4.1 are weak, because the program's library may be older than this <mpi.h>. */
#ifndef MPISPEC_RUNTIME_MPI_H
#define MPISPEC_RUNTIME_MPI_H

/* MPI's functions are visible; every other function that is not static is hidden. */
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#include "abi/lacking.h"

#ifndef MPI_ERR_PROC_ABORTED /* MPI-4.0 */
#define MPI_ERR_PROC_ABORTED MPI_ERR_OTHER
#endif

#ifndef MPI_BUFFER_AUTOMATIC
#define MPI_BUFFER_AUTOMATIC ((void *)-2) /* MPICH's, since 4.2 */
#endif

#endif
