/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds calls in loaded objects that would bypass the runtime, although the runtime defines the
 * called Fortran function (Entries.def). Then a message could be sent by a lane and probed for in
 * the library, or the reverse. Reasons for these calls are a tool that is searched first, a binding
 * that is linked statically, and a program that calls PMPI. A Fortran function that only a later
 * version of the MPI library has bypasses the runtime, too.
 *
 * The same holds for a program that sends or receives by names such as PMPI_Send. It also holds for
 * a program that calls Open MPI's binding by names such as mpi_send__. Options of a compiler
 * determine these names (gfortran -fsecond-underscore, -fno-underscoring).
 *
 * The same holds for functions of C that only a later library has, or that are its extensions, such
 * as MPIX_Request_is_complete. A program that was linked with the runtime for MPICH before 4.2 may
 * call functions of MPI-4.1 (abi/library.h). Only functions that the process contains are
 * considered, because a weak reference to a missing function cannot be called. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BYPASS_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BYPASS_H

/* Returns the reason as text, or null. For objects that are loaded later, see
 * interposition/library/profiling.h. */
const char *mpispec_fortran_bypass(void);

#endif
