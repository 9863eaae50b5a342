/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of this directory that depend on MPICH. A handle in C is the same integer as in
 * Fortran, so that functions of C write it in place. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_KINDS_MPICH_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_KINDS_MPICH_H

#include "abi/mpi.h"

_Static_assert(sizeof(MPI_Fint) == sizeof(MPI_Request), "handles are written in place");
_Static_assert(sizeof(MPI_F08_status) == sizeof(MPI_Status), "statuses are written in place");

/* The names of functions. HEADER is empty, because functions of mpif.h and `use mpi` call the
 * runtime's functions in C. PROFILING begins the names of the binding's PMPI functions. */
#define MODULE(MAKE, NAME, ...) MAKE(NAME##_f08_, NAME, ##__VA_ARGS__)
#define HEADER(MAKE, NAME, ...)
#define PROFILING "pmpir_"
#define BINDING_WAITANY "pmpir_waitany_f08_"

/* The members of struct mpispec_binding, and the names of their objects. The weak declarations are
 * the runtime's own references to these objects (binding.c). */
#define BINDING_CONSTANTS(CONSTANT)                                                                \
  CONSTANT(bottom, MPIR_F08_MPI_BOTTOM)                                                            \
  CONSTANT(in_place, MPIR_F08_MPI_IN_PLACE)                                                        \
  CONSTANT(status_ignore, MPIR_F08_MPI_STATUS_IGNORE_OBJ)                                          \
  CONSTANT(statuses_ignore, MPIR_F08_MPI_STATUSES_IGNORE_OBJ)
#define REFERENCE(MEMBER, OBJECT) extern __typeof__(OBJECT) OBJECT __attribute__((__weak__));
BINDING_CONSTANTS(REFERENCE)
#undef REFERENCE
#define MPISPEC_FORTRAN_BOTTOM ((const void *)&MPIR_F08_MPI_BOTTOM)

#define KIND_COMM_HERE(X) MPI_Comm *X, (void)0, X, (void)0
#define KIND_COMM_NEW(X) MPI_Comm *X, (void)0, X, (void)0
#define KIND_DATATYPE_HERE(X) MPI_Datatype *X, (void)0, X, (void)0
#define KIND_MESSAGE_NEW(X) MPI_Message *X, (void)0, X, (void)0
#define KIND_REQUEST_HERE(X) MPI_Request *X, (void)0, X, (void)0
#define KIND_REQUEST_NEW(X) MPI_Request *X, (void)0, X, (void)0
#define KIND_REQUESTS(X) MPI_Request *X, (void)0, X, (void)0
#define KIND_SESSION_NEW(X) MPI_Session *X, (void)0, X, (void)0

#endif
