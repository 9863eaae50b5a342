/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of this directory that depend on Open MPI. All of its Fortran functions call PMPI_*,
 * and all three bindings pass buffers by address. A handle of Fortran is the index of a handle of
 * C: it is converted before a call, and back after it. */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_KINDS_OPENMPI_H
#define MPISPEC_RUNTIME_INTERPOSITION_FORTRAN_KINDS_OPENMPI_H

#include "interposition/fortran/binding.h"
#include "job/memory.h"

#include "abi/mpi.h"
#include <stdlib.h>

#define BUFFERS_BY_PMPI

#define MODULE(MAKE, NAME, ...) MAKE(NAME##_f08_, NAME, ##__VA_ARGS__)
#define HEADER(MAKE, NAME, ...) MAKE(NAME##_, NAME, ##__VA_ARGS__)
#define PROFILING "pmpi_"
#define BINDING_WAITANY "pmpi_waitany_"

/* The members of struct mpispec_binding, and the names of their objects, in all bindings. The
 * weak declarations are the runtime's own references to these objects (binding.c). */
#define BINDING_CONSTANTS(CONSTANT)                                                                \
  CONSTANT(bottom, mpi_fortran_bottom_)                                                            \
  CONSTANT(in_place, mpi_fortran_in_place_)                                                        \
  CONSTANT(status_ignore, mpi_fortran_status_ignore_)                                              \
  CONSTANT(statuses_ignore, mpi_fortran_statuses_ignore_)
#define REFERENCE(MEMBER, OBJECT) extern char OBJECT[] __attribute__((__weak__));
BINDING_CONSTANTS(REFERENCE)
#undef REFERENCE
#define MPISPEC_FORTRAN_BOTTOM ((const void *)mpi_fortran_bottom_)

static inline void *mpispec_buffer_of_c(void *buffer) {
  return buffer == mpispec_binding.bottom     ? MPI_BOTTOM
         : buffer == mpispec_binding.in_place ? MPI_IN_PLACE
                                              : buffer;
}

static inline MPI_Request *mpispec_requests_of_c(int count, const MPI_Fint requests[]) {
  const size_t length = count > 0 ? (size_t)count : 1;
  MPI_Request *converted = mpispec_check_allocation(malloc(length * sizeof *converted));
  for (int i = 0; i < count; ++i)
    converted[i] = MPI_Request_f2c(requests[i]);
  return converted;
}

static inline void mpispec_requests_back(int count, MPI_Fint requests[], MPI_Request *converted) {
  for (int i = 0; i < count; ++i)
    requests[i] = MPI_Request_c2f(converted[i]);
  free(converted);
}

/* MPI_Buffer_detach of mpif.h does not return the address. */
static inline int detach_buffer(void *place, int *size) {
  void *buffer;
  (void)place;
  return MPI_Buffer_detach(&buffer, size);
}

/* Converts the datatypes for all ranks of the communicator, or of its remote group. */
static inline MPI_Datatype *datatypes_of_c(MPI_Comm comm, const MPI_Fint types[]) {
  int is_inter = 0, count = 0;
  PMPI_Comm_test_inter(comm, &is_inter);
  is_inter ? PMPI_Comm_remote_size(comm, &count) : PMPI_Comm_size(comm, &count);
  MPI_Datatype *converted = mpispec_check_allocation(malloc((size_t)count * sizeof *converted + 1));
  for (int i = 0; i < count; ++i)
    converted[i] = MPI_Type_f2c(types[i]);
  return converted;
}

static inline int alltoallw_of_c(void *out, const int out_counts[], const int out_places[],
                                 const MPI_Fint out_types[], void *in, const int in_counts[],
                                 const int in_places[], const MPI_Fint in_types[], MPI_Comm comm) {
  MPI_Datatype *outs = out == MPI_IN_PLACE ? NULL : datatypes_of_c(comm, out_types);
  MPI_Datatype *ins = datatypes_of_c(comm, in_types);
  const int error =
      MPI_Alltoallw(out, out_counts, out_places, outs, in, in_counts, in_places, ins, comm);
  free(outs);
  free(ins);
  return error;
}

#define HERE(TYPE, HANDLE, X)                                                                      \
  MPI_Fint *X, TYPE X##_c = HANDLE##_f2c(*X), &X##_c, *X = HANDLE##_c2f(X##_c)
#define NEW(TYPE, HANDLE, NONE, X)                                                                 \
  MPI_Fint *X, TYPE X##_c = NONE, &X##_c, error ? 0 : (*X = HANDLE##_c2f(X##_c))
#define KIND_BUFFER(X) void *X, mpispec_binding_find(), mpispec_buffer_of_c(X), (void)0
#define KIND_COMM_HERE(X) HERE(MPI_Comm, MPI_Comm, X)
#define KIND_COMM_NEW(X) NEW(MPI_Comm, MPI_Comm, MPI_COMM_NULL, X)
#define KIND_DATATYPE_HERE(X) HERE(MPI_Datatype, MPI_Type, X)
#define KIND_MESSAGE_HERE(X) HERE(MPI_Message, MPI_Message, X)
#define KIND_MESSAGE_NEW(X) NEW(MPI_Message, MPI_Message, MPI_MESSAGE_NULL, X)
#define KIND_REQUEST_HERE(X) HERE(MPI_Request, MPI_Request, X)
#define KIND_REQUEST_NEW(X) NEW(MPI_Request, MPI_Request, MPI_REQUEST_NULL, X)
/* The number of elements is the first argument. */
#define KIND_REQUESTS(X)                                                                           \
  MPI_Fint *X, MPI_Request *X##_c = mpispec_requests_of_c(*a, X), X##_c,                           \
                           mpispec_requests_back(*a, X, X##_c)

#endif
