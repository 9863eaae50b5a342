/* PMPI functions that get requests of ours, or must find messages of ours.
 *
 * A request of ours may only reach our functions. But who wants to be seen by no tool completes by
 * PMPI_Wait what began with MPI_Irecv, and MPI allows that (MPI-4.0, section 15.2). MPICH's binding
 * of mpi_f08 does so in all calls that have no buffer. The runtime has these calls, too
 * (interposition/fortran/entries.h); but a plugin may bring the binding where a program hides them.
 *
 *   plugin: mpi_wait_f08 ... libmpichfort: PMPI_Wait --> ours? --yes--> MPI_Wait of the runtime
 *                                                          +----no---> PMPI_Wait of the MPI library
 *
 * So the linker is told to provide these names (profiling.ld); they come before the MPI library's.
 * They take no lock for what is not ours, since the MPI library may call them from within. A probe
 * does not tell by which route its message comes, lane or library: it polls both. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_PROFILING_H
#define MPISPEC_RUNTIME_INTERPOSITION_PROFILING_H

#include "abi/mpi.h"

/* Ours, by which the MPI library's are found (job/pmpi.h); shown to the world by
 * their other names. */
#define PROFILING(NAME)                                                                            \
  __attribute__((visibility("default"))) __typeof__(PMPI_##NAME) mpispec_profiling_##NAME;
#include "job/Profiling.def"
#undef PROFILING

#endif
