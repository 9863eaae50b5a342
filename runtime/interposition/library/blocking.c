/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blocking functions of the MPI library to which the runtime only adds progress. While the program
 * waits in one, the helper polls the pending operations (helper.h). The table is Blocking.def. */
#include "abi/mpi.h"
#include "interposition/library/next.h"
#include "interposition/library/window_calls.h"
#include "progress/origin.h"

#define BLOCKING(NAME, PARAMETERS, ARGUMENTS)                                                      \
  int MPI_##NAME PARAMETERS { return MPISPEC_IN_LIBRARY(mpispec_next.NAME ARGUMENTS); }

#define WINDOW(NAME, PARAMETERS, ARGUMENTS)                                                        \
  int MPI_##NAME PARAMETERS {                                                                      \
    const int error = MPISPEC_IN_LIBRARY(mpispec_next.NAME ARGUMENTS);                             \
    if (!error)                                                                                    \
      mpispec_window_made();                                                                       \
    return error;                                                                                  \
  }

#define FOR_TARGETS(NAME, PARAMETERS, ARGUMENTS, EPOCHS, RANK)                                     \
  int MPI_##NAME PARAMETERS {                                                                      \
    const int outer = mpispec_window_call_begin(win, RANK);                                        \
    const int error = MPISPEC_IN_LIBRARY(mpispec_next.NAME ARGUMENTS);                             \
    mpispec_window_call_end(outer, error, EPOCHS);                                                 \
    return error;                                                                                  \
  }
#define TARGET(NAME, PARAMETERS, ARGUMENTS, EPOCHS)                                                \
  FOR_TARGETS(NAME, PARAMETERS, ARGUMENTS, EPOCHS, rank)
#define TARGETS(NAME, PARAMETERS, ARGUMENTS, EPOCHS)                                               \
  FOR_TARGETS(NAME, PARAMETERS, ARGUMENTS, EPOCHS, MPISPEC_ALL_TARGETS)

#include "interposition/library/Blocking.def"
