/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds the MPI library of the program, and whether this runtime was built for it.
 *
 * A runtime is built for the handles, statuses and functions of one interface (mpispec/handle.h).
 * foreign.h describes a library with another interface. A program may be linked with its MPI
 * library. It may also load the library later, for example with an extension module of Python.
 * Other objects then do not find the library's symbols. Therefore the runtime searches for the
 * library when the runtime is loaded, and again in MPI_Init. The search in MPI_Init begins with the
 * object that calls MPI_Init.
 *
 * The runtimes `mpich` and `mpich42` differ only in functions of MPI-4.1. A program that is linked
 * with one of them may run with an MPI library that needs the other. interposition/fortran/bypass.h
 * describes calls of the functions that differ. */
#ifndef MPISPEC_RUNTIME_ABI_LIBRARY_H
#define MPISPEC_RUNTIME_ABI_LIBRARY_H

/* The name of the runtime that the library needs: "mpich", "mpich42", "abi", or "openmpi" with the
 * major version. There may be no runtime of this name. The library need not be initialized. Null if
 * the process has no MPI library. */
const char *mpispec_library_name(void);

/* Whether this runtime serves the library that needs the runtime `name`. */
int mpispec_library_is_served(const char *name);
int mpispec_library_has_handles_of_mpich(const char *name);

/* Called when the runtime is loaded into a process whose library it serves: finds the library. */
void mpispec_library_open(void);

/* Nonzero once PMPI functions lead to a library. Before a library is found, they lead to none. */
int mpispec_library_is_found(void);

/* Called by an entry of the table (library_table.h) before MPI_Init, if no library was found yet.
 * Ends the process with a message if there is still none. */
void mpispec_library_bind_late(void);

/* Returns a text with the names of both libraries if the program was started with two MPI libraries
 * of different interfaces. Calls and handles of one may then reach functions of the other.
 * Otherwise returns null. */
const char *mpispec_library_mixture(void);

enum mpispec_library_change {
  MPISPEC_LIBRARY_KEPT,
  MPISPEC_LIBRARY_CHANGED, /* PMPI functions led to none, or to another one, before */
  MPISPEC_LIBRARY_FOREIGN, /* this runtime was not built for it, and must pass on all calls */
};

/* Called by functions that begin MPI, with their return address. The object of `caller` determines
 * the library, unless this object is the program or needs no MPI library. In these two cases the
 * function keeps the library that was found earlier, or searches for one. Reports a library for
 * which this runtime was not built. Ends the process with a message if there is no library, or if
 * MPI has begun with another one. */
enum mpispec_library_change mpispec_library_begin(const void *caller);

/* Returns the function `name` of the foreign library. If the library lacks it, searches the object
 * that uses the library, and the other libraries of this object. Returns null if none has it. */
void *mpispec_library_foreign(const char *name);

#endif
