/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blocking functions of the MPI library to which the runtime only adds progress. While the program
 * waits in one, the helper polls the pending operations (helper.h). The table is Blocking.def. */
#include "abi/mpi.h"
#include "interposition/library/next.h"

#define BLOCKING(NAME, PARAMETERS, ARGUMENTS)                                                      \
  int MPI_##NAME PARAMETERS { return MPISPEC_IN_LIBRARY(mpispec_next.NAME ARGUMENTS); }
#include "interposition/library/Blocking.def"
