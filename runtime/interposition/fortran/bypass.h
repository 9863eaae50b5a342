/* Does a loaded object call a function of Fortran that would not come by us, though the
 * runtime has one of that name (Entries.def)? Then a message could be sent on one route
 * and probed for on the other. That is so where another tool defines it and is searched first;
 * where the binding is part of the program, as a static library; where a program calls PMPI itself;
 * and of functions that only a later MPI library has.
 *
 * Nor would one of C that only a later library has, or that is an extension of it: that of MPI-4.1
 * in a program that was linked with the runtime for MPICH before 4.2 and meets a later one
 * (abi/library.h), or MPIX_Request_is_complete. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BYPASS_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BYPASS_H

/* Why, in words, or null. What is loaded later is left to interposition/library/profiling.h. */
const char *mpispec_fortran_bypass(void);

#endif
