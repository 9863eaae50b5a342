/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls with windows, in C and in Fortran. Once the program has made a window, waits poll the
 * library more often (progress.h). A call that may wait for the library of its targets wakes these
 * ranks (progress/origin.h). */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_WINDOW_CALLS_H
#define MPISPEC_RUNTIME_INTERPOSITION_WINDOW_CALLS_H

#include "abi/mpi.h"

/* Called after a call that has made a window. Called without the lock. */
void mpispec_window_made(void);

/* Called before and after a call for the target `rank` of a window, or for MPISPEC_ALL_TARGETS. The
 * result of the first function is an argument of the second. `epochs` is 1 if the call begins an
 * epoch of passive target communication, -1 if it ends one, or 0. */
int mpispec_window_call_begin(MPI_Win win, int rank);
void mpispec_window_call_end(int outer, int error, int epochs);

#endif
