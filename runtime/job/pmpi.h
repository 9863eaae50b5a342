/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The MPI library's own definitions of PMPI functions that the runtime also defines
 * (interposition/library/profiling.h gives the reason). All other PMPI functions are called by
 * name. */
#ifndef MPISPEC_RUNTIME_PMPI_H
#define MPISPEC_RUNTIME_PMPI_H

#include "abi/mpi.h"

extern struct mpispec_pmpi {
#define PROFILING(NAME) __typeof__(&PMPI_##NAME) NAME;
#include "job/Profiling.def"
#undef PROFILING
} mpispec_pmpi;

/* Finds these definitions when the runtime is loaded. `ours` are the runtime's own definitions, in
 * the order of Profiling.def. */
void mpispec_pmpi_find(void *const ours[]);

#endif
