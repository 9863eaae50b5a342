/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of the MPI library's own binding of mpi_f08 that this directory needs: its functions,
 * and how it numbers requests. It is looked for when the first call comes, and is there by then:
 * with the program, or with a plugin that calls. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BINDING_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BINDING_H

#include "abi/mpi.h"

/* Numbers `count` indices of C as the binding does: from one, as MPI requires. In MPICH 4.0 they
 * begin with zero. MPICH 4.1 adds one to MPI_UNDEFINED, too. */
void mpispec_binding_number(int count, MPI_Fint indices[]);

/* Returns a function of the binding by its name. Prints a message and aborts if there is none. */
void *mpispec_binding_function(const char *name);

/* Stores and returns the function to which calls are passed on: `other`, or if that is null the
 * binding's `profiling`. All threads that do so store the same. */
void *mpispec_binding_keep(_Atomic(void *) *place, void *other, const char *profiling);

#endif
