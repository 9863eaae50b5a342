/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* PMPI functions that may get a request of the runtime, or must find its messages.
 *
 * Only functions of the runtime may get its requests. But a program may complete a request of
 * MPI_Irecv by PMPI_Wait, which no tool sees (MPI-4.0, section 15.2). MPICH's binding of mpi_f08
 * calls PMPI functions in all functions without a buffer. The runtime defines these functions, too
 * (interposition/fortran/entries.h). But a plugin may load the binding, and the program may hide
 * the runtime's functions from it.
 *
 *   plugin: mpi_wait_f08 ... libmpichfort: PMPI_Wait --> ours? --yes--> MPI_Wait of the runtime
 *                                                          +----no---> PMPI_Wait of the MPI library
 *
 * Therefore a linker script provides these names (profiling.ld), and they precede the MPI
 * library's. They acquire no lock for other requests, because the MPI library may call them itself.
 * A probe polls both routes, lanes and library. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_PROFILING_H
#define MPISPEC_RUNTIME_INTERPOSITION_PROFILING_H

#include "abi/mpi.h"

/* The runtime's definitions, which are exported under the PMPI names. job/pmpi.h finds the
 * library's own definitions by them. */
#define PROFILING(NAME)                                                                            \
  __attribute__((visibility("default"))) __typeof__(PMPI_##NAME) mpispec_profiling_##NAME;
#include "job/Profiling.def"
#undef PROFILING

#endif
