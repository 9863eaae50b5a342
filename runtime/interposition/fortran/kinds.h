/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kinds of arguments in Entries.def: the word that a Fortran program passes, and the argument
 * of the function of C. Each MPI library has a file for the parts that depend on it. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_KINDS_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_KINDS_H

#include "interposition/fortran/binding.h"

#include "abi/mpi.h"

#ifdef OPEN_MPI
#include "interposition/fortran/kinds_openmpi.h"
#else
#include "interposition/fortran/kinds_mpich.h"
#endif

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "integers are passed on in place");

/* Compare a status with the constants of the binding, which must have been found. */
#define IS_IGNORED(X) ((const void *)(X) == mpispec_binding.status_ignore)
#define ARE_IGNORED(X) ((const void *)(X) == mpispec_binding.statuses_ignore)

/* Each macro expands to four parts: the Fortran parameter X, code before the call, the argument of
 * C, and code after the call. A LOGICAL that is true is 1. The number of indices is the third
 * argument, `c`. A status is written in place, because it has the layout of C in all supported
 * libraries. */
#define KIND_IN(X) const MPI_Fint *X, (void)0, *X, (void)0
#define KIND_INTS(X) const MPI_Fint *X, (void)0, X, (void)0
#define KIND_OUT(X) MPI_Fint *X, (void)0, X, (void)0
#define KIND_FLAG(X) MPI_Fint *X, (void)0, X, *X = *X != 0
#define KIND_INDEX(X) MPI_Fint *X, (void)0, X, mpispec_binding_convert_indices(1, X)
#define KIND_INDICES(X)                                                                            \
  MPI_Fint *X, (void)0, X, error ? (void)0 : mpispec_binding_convert_indices(*c, X)
#define KIND_ADDRESS(X) void *X, (void)0, X, (void)0
#define KIND_STATUS(X)                                                                             \
  MPI_Status *X, mpispec_binding_find(), IS_IGNORED(X) ? MPI_STATUS_IGNORE : X, (void)0
#define KIND_STATUSES(X)                                                                           \
  MPI_Status *X, mpispec_binding_find(), ARE_IGNORED(X) ? MPI_STATUSES_IGNORE : X, (void)0
#define KIND_COMM(X) const MPI_Fint *X, (void)0, MPI_Comm_f2c(*X), (void)0
#define KIND_DATATYPE(X) const MPI_Fint *X, (void)0, MPI_Type_f2c(*X), (void)0
#define KIND_ERRHANDLER(X) const MPI_Fint *X, (void)0, MPI_Errhandler_f2c(*X), (void)0
#define KIND_GROUP(X) const MPI_Fint *X, (void)0, MPI_Group_f2c(*X), (void)0
#define KIND_INFO(X) const MPI_Fint *X, (void)0, MPI_Info_f2c(*X), (void)0
#define KIND_OP(X) const MPI_Fint *X, (void)0, MPI_Op_f2c(*X), (void)0
#define KIND_REQUEST(X) const MPI_Fint *X, (void)0, MPI_Request_f2c(*X), (void)0
#define KIND_WIN(X) const MPI_Fint *X, (void)0, MPI_Win_f2c(*X), (void)0

#endif
