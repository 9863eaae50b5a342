/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of the MPI library's own Fortran bindings that this directory needs: functions,
 * addresses of constants, and values for the index of a request. The runtime searches for the
 * binding at the first call. By then it is loaded, with the program or with the plugin that makes
 * the call. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BINDING_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_BINDING_H

#include "abi/mpi.h"

/* The objects that stand for MPI_BOTTOM and similar constants. There may be several objects for one
 * constant: the MPI library, its binding and each plugin may contain a definition. The binding
 * compares an argument with one of them, and the runtime compares it with the same one.
 *
 * A pointer is null if the object is not found. */
struct mpispec_binding {
  const void *bottom, *in_place, *status_ignore, *statuses_ignore;
  int is_known; /* is stored last */
};
extern struct mpispec_binding mpispec_binding __attribute__((visibility("hidden")));

/* Finds the objects. All threads that search store the same addresses. */
__attribute__((cold)) void mpispec_binding_search(void);

/* Precedes each comparison with the constants. */
static inline void mpispec_binding_find(void) {
  if (__builtin_expect(!__atomic_load_n(&mpispec_binding.is_known, __ATOMIC_ACQUIRE), 0))
    mpispec_binding_search();
}

/* Converts `count` indices of C to those of the binding. The indices of the binding begin with one,
 * as MPI requires, but with zero in MPICH 4.0. MPICH 4.1 adds one to MPI_UNDEFINED, too. */
void mpispec_binding_convert_indices(int count, MPI_Fint indices[]);

/* Returns a function of the binding by its name. Prints a message and aborts if there is none. */
void *mpispec_binding_function(const char *name);

/* Stores in `*place`, and returns, the function to which calls are passed on. It is `other`, or the
 * binding's function `profiling` if `other` is null. All threads store the same function. */
void *mpispec_binding_keep(_Atomic(void *) *place, void *other, const char *profiling);

#endif
