/* MPI_Get_count, which follows most probes: of datatypes whose bytes lie side by side, as templates
 * know them. The library takes some eighty instructions. */
#include "interposition/library/next.h"
#include "mpispec/machine.h"
#include "mpispec/state.h"
#include "mpispec/status.h"
#include "progress/lock.h"

#include <limits.h>
#include <mpi.h>

/* The elements that a status tells of, or -1 if the library has to be asked. */
static inline int elements(const MPI_Status *status, MPI_Datatype datatype) {
  if (mpispec_lock_per_call || !mpispec_state.types || !status ||
      mpispec_status_is_ignored(status) || status->count_hi_and_cancelled)
    return -1;
  const unsigned bytes = (unsigned)status->count_lo;
  const unsigned size = mpispec_type_size((unsigned)datatype);
  return size && bytes <= INT_MAX && bytes % size == 0 ? (int)(bytes / size) : -1;
}

int MPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count) {
  const int found = elements(status, datatype);
  if (!count || found < 0)
    MPISPEC_JUMP mpispec_next.Get_count(status, datatype, count);
  *count = found;
  return MPI_SUCCESS;
}
