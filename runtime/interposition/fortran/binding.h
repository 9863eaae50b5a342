/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of the MPI library's own binding of mpi_f08 that this directory needs: its functions,
 * and how it numbers requests. The runtime searches for the binding at the first call. By then it
 * is loaded, with the program or with the plugin that makes the call. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BINDING_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BINDING_H

#include "abi/mpi.h"

/* Converts `count` indices of C to those of the binding. They begin with one, as MPI requires, but
 * with zero in MPICH 4.0. MPICH 4.1 adds one to MPI_UNDEFINED, too. */
void mpispec_binding_number(int count, MPI_Fint indices[]);

/* Returns a function of the binding by its name. Prints a message and aborts if there is none. */
void *mpispec_binding_function(const char *name);

/* Stores and returns the function to which calls are passed on: `other`, or if that is null the
 * binding's `profiling`. All threads that do so store the same. */
void *mpispec_binding_keep(_Atomic(void *) *place, void *other, const char *profiling);

#endif
