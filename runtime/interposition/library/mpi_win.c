/* MPI_Win_test. It is true as soon as MPI_Win_wait would return: at the latest when all that the
 * window was exposed to have come back from MPI_Win_complete (MPI 4.0, 12.5.2). */
#include "abi/mpi.h"
#include "interposition/library/next.h"

int MPI_Win_test(MPI_Win win, int *flag) {
  return MPISPEC_AGAIN(flag, mpispec_next.Win_test(win, flag));
}
