/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A runtime in a process whose MPI library has another interface.
 *
 * The functions of a preloaded runtime would misread their arguments there, and could not even pass
 * them on. Therefore a preloaded runtime starts the program again before the program's code runs.
 * The restarted program gets the runtime that fits its library if such a runtime is installed,
 * otherwise none. A program that contains the wrong runtime ends with a message. In a program that
 * is linked with the wrong libmpispec.so, and in one that loads its library later, MPI_Init
 * redirects all functions to the library.
 *
 * The runtimes `mpich` and `mpich42` have the same interface (library.h). The library may need the
 * one of them that is not loaded. If that runtime is installed, a restart also replaces a preloaded
 * runtime by it. In all other cases the loaded runtime serves the library. */
#ifndef MPISPEC_RUNTIME_ABI_FOREIGN_H
#define MPISPEC_RUNTIME_ABI_FOREIGN_H

/* Reports that the object `who` uses the library for which the runtime `name` is built, and names
 * the remedy. `who` is null for the program itself. `is_passed_on` is nonzero if all MPI calls go
 * to the library. */
void mpispec_foreign_report(const char *who, const char *name, int is_passed_on);

#endif
