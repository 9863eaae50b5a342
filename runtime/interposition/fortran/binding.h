/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of the MPI library's own Fortran bindings that this directory needs: their functions,
 * and their values for the index of a request. The runtime searches for the binding at the first
 * call. By then it is loaded, with the program or with the plugin that makes the call. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BINDING_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BINDING_H

#include "abi/mpi.h"

/* Converts `count` indices of C to those of the binding. The indices of the binding begin with one,
 * as MPI requires, but with zero in MPICH 4.0. MPICH 4.1 adds one to MPI_UNDEFINED, too. */
void mpispec_binding_convert_indices(int count, MPI_Fint indices[]);

/* Returns a function of the binding by its name. Prints a message and aborts if there is none. */
void *mpispec_binding_function(const char *name);

/* Stores in `*place`, and returns, the function to which calls are passed on. It is `other`, or the
 * binding's function `profiling` if `other` is null. All threads store the same function. */
void *mpispec_binding_keep(_Atomic(void *) *place, void *other, const char *profiling);

#endif
