/* Is MPICH's binding of Fortran's module mpi_f08 in use?
 *
 * Its calls that have a buffer are calls of MPI_*, which reach the runtime; all others are calls of
 * PMPI_*, which do not: MPI_Comm_dup, MPI_Barrier, MPI_Wait, MPI_Probe. A message would be sent on
 * one route and probed for on the other. So the runtime steps aside. */
#ifndef MPISPEC_RUNTIME_FORTRAN08_H
#define MPISPEC_RUNTIME_FORTRAN08_H

/* The name of a function of that binding that a loaded object calls, or null. What is loaded later
 * is left to interposition/profiling.h. */
const char *mpispec_fortran08_call(void);

#endif
