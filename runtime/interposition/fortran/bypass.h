/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds calls of Fortran functions in loaded objects that would bypass the runtime, though it has a
 * function of that name (Entries.def). A message could then be sent on one route and probed for on
 * the other. Reasons are a tool that is searched first, a binding that is linked statically, and a
 * program that calls PMPI. Functions that only a later MPI library has also bypass the runtime.
 *
 * The same holds for functions of C that only a later library has, or that are its extensions, such
 * as MPIX_Request_is_complete. A program that was linked with the runtime for MPICH before 4.2 may
 * call functions of MPI-4.1 (abi/library.h). A function counts only if the process has it: a weak
 * reference to another one cannot be called. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BYPASS_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BYPASS_H

/* Returns the reason as text, or null. Objects that are loaded later are left to
 * interposition/library/profiling.h. */
const char *mpispec_fortran_bypass(void);

#endif
