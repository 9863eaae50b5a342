/* Which MPI library does the program use, and is it one that this runtime was built for?
 *
 * Handles, statuses and the set of functions are one interface's here (mpispec/handle.h). Preloaded
 * onto a program of another one, each of our functions would misread its arguments, and could not
 * even hand them on. So where the library is another one the program is started again, before it
 * has begun: with the runtime that fits, if that is installed, or without.
 *
 * `mpich` and `mpich42` differ by MPI-4.1's functions alone. A program that is linked with one may
 * meet a library for the other and goes on: interposition/fortran/bypass.h says what is done if it
 * calls them. */
#ifndef MPISPEC_RUNTIME_ABI_LIBRARY_H
#define MPISPEC_RUNTIME_ABI_LIBRARY_H

/* The name of the runtime that the library needs: "mpich", "mpich42", "abi", "openmpi4",
 * "openmpi5". It may not be initialised yet. */
const char *mpispec_library_name(void);

/* What is wrong if the program was started with two MPI libraries of different interfaces, both
 * named; else null. Calls and handles of one may meet functions of the other. */
const char *mpispec_library_mixture(void);

/* Ends the process, saying so, if the object that has called MPI_Init, from address `caller`, uses
 * a library that this runtime was not built for: a plugin of a program that had no MPI when it
 * began. */
void mpispec_library_check(const void *caller);

#endif
