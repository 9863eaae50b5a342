/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds the MPI library of the program, and whether this runtime was built for it.
 *
 * A runtime is built for the handles, statuses and functions of one interface (mpispec/handle.h).
 * In a program with another interface, the functions of a preloaded runtime would misread their
 * arguments, and could not even pass them on. Therefore it starts that program again before the
 * program's code runs: with the runtime for its library if that is installed, otherwise without a
 * runtime. A program that is linked with the wrong runtime ends with a message.
 *
 * `mpich` and `mpich42` differ only by functions of MPI-4.1. A program that is linked with one may
 * run with a library for the other. interposition/fortran/bypass.h describes calls of the functions
 * that differ. */
#ifndef MPISPEC_RUNTIME_ABI_LIBRARY_H
#define MPISPEC_RUNTIME_ABI_LIBRARY_H

/* The name of the runtime that the library needs: "mpich", "mpich42", "abi", "openmpi4" or
 * "openmpi5". The library need not be initialized. */
const char *mpispec_library_name(void);

/* Returns a text with both libraries if the program was started with two MPI libraries of different
 * interfaces; else null. Calls and handles of one may reach functions of the other. */
const char *mpispec_library_mixture(void);

/* Called by MPI_Init with its return address. Ends the process with a message if the object of
 * `caller` uses a library for which this runtime was not built. This object is a plugin of a
 * program that was started without MPI. */
void mpispec_library_check(const void *caller);

#endif
