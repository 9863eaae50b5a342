/* Functions of PMPI as the MPI library defines them, where the runtime provides that name, too
 * (interposition/library/profiling.h says why). All others are called by their names. */
#ifndef MPISPEC_RUNTIME_PMPI_H
#define MPISPEC_RUNTIME_PMPI_H

#include "abi/mpi.h"

extern struct mpispec_pmpi {
#define PROFILING(NAME) __typeof__(&PMPI_##NAME) NAME;
#include "job/Profiling.def"
#undef PROFILING
} mpispec_pmpi;

/* Finds them, as soon as the runtime is loaded. `ours` has our functions, in the order of
 * Profiling.def. */
void mpispec_pmpi_find(void *const ours[]);

#endif
