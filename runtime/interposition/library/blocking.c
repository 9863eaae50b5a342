/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blocking functions of the MPI library to which the runtime only adds progress. While the program
 * waits in one, the helper polls the pending operations (helper.h). The table is Blocking.def. */
#include "abi/mpi.h"
#include "interposition/library/next.h"
#include "progress/lock.h"
#include "progress/progress.h"

#define BLOCKING(NAME, PARAMETERS, ARGUMENTS)                                                      \
  int MPI_##NAME PARAMETERS { return MPISPEC_IN_LIBRARY(mpispec_next.NAME ARGUMENTS); }

/* Operations on a window may need the library's progress on the target, which may sleep. */
#define WINDOW(NAME, PARAMETERS, ARGUMENTS)                                                        \
  int MPI_##NAME PARAMETERS {                                                                      \
    const int error = MPISPEC_IN_LIBRARY(mpispec_next.NAME ARGUMENTS);                             \
    mpispec_lock();                                                                                \
    if (!error)                                                                                    \
      mpispec_progress_shorten_sleeps();                                                           \
    mpispec_unlock();                                                                              \
    return error;                                                                                  \
  }

#include "interposition/library/Blocking.def"
