/* How communicators come and go, and what else frees handles that we remember. Most constructors
 * are in Constructors.def. */
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

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm) {
  mpispec_away();
  const int error = mpispec_next.Comm_create_group(comm, group, tag, newcomm);
  if (!error)
    mpispec_communicator_adopt_alone(comm, *newcomm);
  mpispec_back();
  return error;
}

/* The library has begun to duplicate. If the result will be adopted, the program gets a request of
 * ours in place of the library's, so that we see when it is there. */
static int duplicate(int error, MPI_Comm parent, const MPI_Comm *made, MPI_Request *handle) {
  if (error)
    return error;
  mpispec_lock();
  const struct mpispec_call call = {.communicator = mpispec_communicator_find(parent),
                                    .contiguous = 1};
  struct mpispec_adoption *adoption =
      call.communicator ? mpispec_communicator_adopt_later(call.communicator, made) : NULL;
  if (adoption) {
    struct mpispec_request *request = mpispec_request_begin(MPISPEC_FOREIGN, &call, 0);
    request->foreign[0] = *handle;
    request->in_library = 1;
    request->adoption = adoption;
    *handle = mpispec_request_handle(request);
  }
  mpispec_unlock();
  return MPI_SUCCESS;
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request) {
  return duplicate(mpispec_next.Comm_idup(comm, newcomm, request), comm, newcomm, request);
}

int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request) {
  return duplicate(mpispec_next.Comm_idup_with_info(comm, info, newcomm, request), comm, newcomm,
                   request);
}

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
