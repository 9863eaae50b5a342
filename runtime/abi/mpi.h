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

/* Functions of MPI-4.1 are taken where <mpi.h> declares them. A runtime that knows them may still
 * be loaded with an older library of the same binary interface. */
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
#define MPISPEC_HAS_MPI_4_1
#pragma weak PMPI_Buffer_flush
#pragma weak PMPI_Comm_attach_buffer
#pragma weak PMPI_Comm_attach_buffer_c
#pragma weak PMPI_Comm_detach_buffer
#pragma weak PMPI_Comm_detach_buffer_c
#pragma weak PMPI_Comm_flush_buffer
#pragma weak PMPI_Request_get_status_all
#pragma weak PMPI_Request_get_status_any
#pragma weak PMPI_Request_get_status_some
#pragma weak PMPI_Session_attach_buffer
#pragma weak PMPI_Session_attach_buffer_c
#pragma weak PMPI_Session_detach_buffer
#pragma weak PMPI_Session_detach_buffer_c
#pragma weak PMPI_Session_flush_buffer
#endif

#ifndef MPI_BUFFER_AUTOMATIC
#define MPI_BUFFER_AUTOMATIC ((void *)-2) /* MPICH's, since 4.2 */
#endif

#endif
