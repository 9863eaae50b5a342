/* How communicators come and go, and what else frees handles that we remember. The constructors are
 * in Constructors.def; MPI_Comm_idup is not among them: what it makes is never adopted. */
#include "communicator.h"
#include "completion.h"
#include "datatype.h"
#include "helper.h"
#include "interposition/next.h"
#include "transfer.h"

#define CONSTRUCTOR(NAME, PARAMETERS, ARGUMENTS, PARENT, MADE)                                     \
  int MPI_##NAME PARAMETERS {                                                                      \
    mpispec_away();                                                                                \
    const int error = mpispec_next.NAME ARGUMENTS;                                                 \
    if (!error)                                                                                    \
      mpispec_communicator_adopt(PARENT, *MADE);                                                   \
    mpispec_back();                                                                                \
    return error;                                                                                  \
  }
#include "interposition/Constructors.def"

/* Communicators that their program has freed while receives wait on them for other nodes. The
 * library knows nothing of those receives, so the communicator must stay until they are over. */
enum { MAXIMUM_DOOMED = 64 };
static MPI_Comm doomed[MAXIMUM_DOOMED];
static int doomed_count;

static int is_needed(MPI_Comm handle) {
  mpispec_lock();
  const struct mpispec_communicator *communicator = mpispec_communicator_find(handle);
  const int needed = communicator && communicator->remote && communicator->uses > 1;
  mpispec_unlock();
  return needed;
}

static void free_doomed(void) {
  for (int i = 0; i < doomed_count;) {
    if (is_needed(doomed[i])) {
      ++i;
      continue;
    }
    PMPI_Comm_free(&doomed[i]);
    doomed[i] = doomed[--doomed_count];
  }
}

int MPI_Comm_free(MPI_Comm *handle) {
  if (doomed_count)
    free_doomed();
  if (handle && is_needed(*handle) && doomed_count < MAXIMUM_DOOMED) {
    doomed[doomed_count++] = *handle;
    *handle = MPI_COMM_NULL;
    return MPI_SUCCESS;
  }
  mpispec_away();
  const int error = mpispec_next.Comm_free(handle);
  mpispec_back();
  return error;
}

/* Unlike MPI_Comm_free, waits until all communication on it is over. */
int MPI_Comm_disconnect(MPI_Comm *handle) {
  mpispec_lock();
  const struct mpispec_communicator *communicator =
      handle ? mpispec_communicator_find(*handle) : NULL;
  for (unsigned round = 0; communicator && communicator->uses > 1; ++round) {
    mpispec_progress();
    mpispec_progress_relax(round);
  }
  mpispec_unlock();
  mpispec_away();
  const int error = mpispec_next.Comm_disconnect(handle);
  mpispec_back();
  return error;
}

int MPI_Type_free(MPI_Datatype *handle) {
  mpispec_lock();
  const int error = mpispec_datatype_free(handle);
  mpispec_unlock();
  return error;
}
