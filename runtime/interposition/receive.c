/* MPI_Recv and MPI_Irecv with their large-count forms: from a lane, from another node, or the MPI
 * library. Receives of matched messages are in probe.c. */
#include "completion.h"
#include "helper.h"
#include "interposition/arguments.h"
#include "interposition/next.h"
#include "transfer.h"

/* Looks at a lane before a blocking receive is posted. */
enum { LOOKS = 512 };

/* Starts a receive of ours: from a lane, from anywhere, or from another node behind a receive from
 * anywhere. Returns null if the call is the library's. */
static struct mpispec_request *start(const struct mpispec_call *call,
                                     enum mpispec_business business) {
  if (business == MPISPEC_LIBRARY)
    return NULL;
  if (business == MPISPEC_LANE) {
    struct mpispec_request *request = mpispec_request_begin(MPISPEC_RECEIVE, call, 0);
    mpispec_receive_start(request);
    return request;
  }
  if (!mpispec_network_is_listed(call->communicator, call->peer, call->tag))
    return NULL;
  struct mpispec_request *request = mpispec_request_begin(MPISPEC_FOREIGN, call, 0);
  mpispec_network_list(request);
  return request;
}

/* Whatever takes longer than a look at the lane. Returns 0 if the call is the library's, and has it
 * not wait there while we are busy. */
static int receive_and_wait(const struct mpispec_call *call, enum mpispec_business business,
                            void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                            MPI_Comm communicator, MPI_Status *status, int *error) {
  struct mpispec_request *request = start(call, business);
  if (request) {
    mpispec_request_wait(request);
    const int raised = request->raised;
    *error = mpispec_request_finish(request, status);
    mpispec_unlock();
    if (*error && !raised)
      mpispec_raise(communicator, *error);
    return 1;
  }
  MPI_Request foreign;
  /* From a null process nothing blocks (and MPI_Irecv of MPICH forgets to say so in the status). */
  const int busy = peer != MPI_PROC_NULL && mpispec_progress_is_needed();
  if (busy) {
    *error = PMPI_Irecv_c(buffer, count, datatype, peer, tag, communicator, &foreign);
    if (!*error)
      *error = mpispec_foreign_wait(&foreign, status);
  }
  mpispec_unlock();
  return busy;
}

static int receive(void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                   MPI_Comm communicator, MPI_Status *status, int *error) {
  struct mpispec_call call;
  struct mpispec_result result;
  if (!status)
    return 0; /* an error, for the library to tell */
  mpispec_lock();
  const enum mpispec_business business =
      mpispec_arguments(&call, buffer, count, datatype, peer, tag, communicator, 1);
  const int looks = mpispec_progress_is_needed() ? 1 : LOOKS;
  if (business == MPISPEC_LANE && mpispec_receive_now(&call, looks, &result)) {
    mpispec_unlock();
    mpispec_status_set(status, result.source, result.tag, result.length, 0);
    *error = MPI_SUCCESS;
    return 1;
  }
  return receive_and_wait(&call, business, buffer, count, datatype, peer, tag, communicator, status,
                          error);
}

static int receive_and_return(void *buffer, MPI_Count count, MPI_Datatype datatype, int peer,
                              int tag, MPI_Comm communicator, MPI_Request *handle) {
  if (!handle)
    return 0;
  struct mpispec_call call;
  mpispec_lock();
  const enum mpispec_business business =
      mpispec_arguments(&call, buffer, count, datatype, peer, tag, communicator, 1);
  struct mpispec_request *request = start(&call, business);
  if (request)
    *handle = mpispec_request_handle(request);
  mpispec_unlock();
  return request != NULL;
}

#define RECEIVE(NAME, COUNT)                                                                       \
  int MPI_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,              \
                 MPI_Comm communicator, MPI_Status *status) {                                      \
    int error;                                                                                     \
    if (receive(buffer, count, datatype, peer, tag, communicator, status, &error))                 \
      return error;                                                                                \
    return mpispec_next.NAME(buffer, count, datatype, peer, tag, communicator, status);            \
  }

#define NONBLOCKING(NAME, COUNT)                                                                   \
  int MPI_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,              \
                 MPI_Comm communicator, MPI_Request *request) {                                    \
    if (receive_and_return(buffer, count, datatype, peer, tag, communicator, request))             \
      return MPI_SUCCESS;                                                                          \
    return mpispec_next.NAME(buffer, count, datatype, peer, tag, communicator, request);           \
  }

RECEIVE(Recv, int)
RECEIVE(Recv_c, MPI_Count)
NONBLOCKING(Irecv, int)
NONBLOCKING(Irecv_c, MPI_Count)
