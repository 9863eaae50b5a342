/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* PMPI functions that may get a request of the runtime, or must find its messages.
 *
 * The MPI library cannot read a request of the runtime. But a program may complete a request of
 * MPI_Irecv by PMPI_Wait, which no tool can intercept (MPI-4.0, section 15.2). In MPICH's binding
 * of mpi_f08, all functions without a buffer call PMPI functions. The runtime defines these
 * functions of the binding, too (interposition/fortran/entries.h). But a plugin may load the
 * binding, and the program may hide the runtime's functions from the plugin.
 *
 *   plugin: mpi_wait_f08 ... libmpichfort: PMPI_Wait --> ours? --yes--> MPI_Wait of the runtime
 *                                                          +----no---> PMPI_Wait of the MPI library
 *
 * Therefore a linker script provides these names (profiling.ld), and they precede the MPI
 * library's. With several threads, these functions acquire no lock of the runtime for requests of
 * the library, because the MPI library may call them itself. A probe polls both routes, lanes and
 * library. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_PROFILING_H
#define MPISPEC_RUNTIME_INTERPOSITION_PROFILING_H

#include "abi/mpi.h"

/* The runtime's definitions, which are exported under the PMPI names. job/pmpi.h needs their
 * addresses to find the library's own definitions. */
#define PROFILING(NAME)                                                                            \
  __attribute__((visibility("default"))) __typeof__(PMPI_##NAME) mpispec_profiling_##NAME;
#include "job/Profiling.def"
#undef PROFILING

#endif
