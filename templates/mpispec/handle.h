/* handle.h - the handles and statuses of the MPI library for which a unit is compiled
 *
 * Three styles of binary interface, a header each: the driver pastes the one that the unit's
 * <mpi.h> tells, the runtime is compiled for one. Each says what a request of ours looks like to a
 * program, what the wildcards are, how a datatype's handle leads to its place in the state's table,
 * and how a status is laid out. */
#ifndef MPISPEC_HANDLE_H
#define MPISPEC_HANDLE_H

/* Included after <mpi.h>, the header tells by itself. */
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
