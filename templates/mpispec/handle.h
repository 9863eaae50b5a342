/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* handle.h - the handles and statuses of the MPI library for which a unit is compiled
 *
 * There are three styles of binary interface, and each has a header. A rewritten unit gets the
 * header of its <mpi.h>'s style, and the runtime is compiled for one style. Each header defines the
 * handles of the runtime's requests, the wildcards, and the layout of a status. It also computes
 * the place of a datatype's handle in the state's table. */
#ifndef MPISPEC_HANDLE_H
#define MPISPEC_HANDLE_H

/* If <mpi.h> was included before, its macros determine the style. */
#if !defined(MPISPEC_STYLE_MPICH) && !defined(MPISPEC_STYLE_ABI) && !defined(MPISPEC_STYLE_OMPI)
#if defined(OMPI_MAJOR_VERSION)
#define MPISPEC_STYLE_OMPI
#elif defined(MPI_ABI_VERSION) && !defined(MPICH_VERSION)
#define MPISPEC_STYLE_ABI
#else
#define MPISPEC_STYLE_MPICH
#endif
#endif

#if defined(MPISPEC_STYLE_MPICH)
#include "handle_mpich.h"
#endif
#if defined(MPISPEC_STYLE_ABI)
#include "handle_abi.h"
#endif
#if defined(MPISPEC_STYLE_OMPI)
#include "handle_ompi.h"
#endif

#endif
