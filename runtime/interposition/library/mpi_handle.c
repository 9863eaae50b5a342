/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Converts requests and messages to integers, for Fortran (Open MPI) and for C (MPI-5's ABI). The
 * integer of a request of the runtime consists of a mark and its index, as in MPICH. The requests
 * of these MPI libraries have small integers. If handles are integers in C, no conversion is
 * needed. */
#include "abi/mpi.h"
#include "interposition/library/next.h"
#include "p2p/request.h"

#ifndef MPISPEC_STYLE_MPICH

enum { MARK = 0x1d000000, INDEX = 0xffffff };

static int is_ours(mpispec_handle handle) {
  return mpispec_request_has_our_handle((MPI_Request)handle);
}

static int number_of(mpispec_handle handle) { return MARK | (int)(handle & INDEX); }

static int is_number_of_ours(int number) { return (number & ~INDEX) == MARK; }

static mpispec_handle handle_of(int number) { return mpispec_request_marked(number & INDEX); }

/* TO and FROM are the functions' names without MPI_. */
#define CONVERSIONS(TYPE, NUMBER, TO, FROM)                                                        \
  NUMBER MPI_##TO(TYPE handle) {                                                                   \
    const mpispec_handle value = (mpispec_handle)handle;                                           \
    return is_ours(value) ? (NUMBER)number_of(value) : mpispec_next.TO(handle);                    \
  }                                                                                                \
  TYPE MPI_##FROM(NUMBER number) {                                                                 \
    return is_number_of_ours((int)number) ? (TYPE)handle_of((int)number)                           \
                                          : mpispec_next.FROM(number);                             \
  }

#ifdef MPISPEC_STYLE_OMPI
CONVERSIONS(MPI_Request, MPI_Fint, Request_c2f, Request_f2c)
CONVERSIONS(MPI_Message, MPI_Fint, Message_c2f, Message_f2c)
#else
CONVERSIONS(MPI_Request, int, Request_toint, Request_fromint)
CONVERSIONS(MPI_Message, int, Message_toint, Message_fromint)
#endif

#endif
