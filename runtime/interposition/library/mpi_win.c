/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Win_test. The flag must be set if MPI_Win_wait would return: all ranks of the exposure epoch
 * have called MPI_Win_complete (MPI 4.0, 12.5.2). */
#include "abi/mpi.h"
#include "interposition/library/next.h"

int MPI_Win_test(MPI_Win win, int *flag) {
  return MPISPEC_AGAIN(flag, mpispec_next.Win_test(win, flag));
}
