/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Mrecv and MPI_Imrecv: receives of messages that a probe has matched (mpi_probe.c). */
#include "interposition/arguments.h"
#include "interposition/library/next.h"
#include "p2p/completion.h"
#include "p2p/delivery.h"
#include "p2p/request.h"
#include "p2p/request_wait.h"
#include "profile/profile.h"
#include "progress/lock.h"

/* Starts the receive of a message of the runtime. Returns null if the message is the library's.
 * Also returns null, and sets `*error`, if the arguments are not valid. `result` is null if the
 * program's pointer to the status or request is null. */
static struct mpispec_request *start(void *buffer, MPI_Count count, MPI_Datatype datatype,
                                     MPI_Message *handle, const void *result, int *error) {
  struct mpispec_request *holder = handle ? mpispec_message_find(*handle) : NULL;
  *error = MPI_SUCCESS;
  if (!holder)
    return NULL;
  struct mpispec_call call = holder->call;
  if (!mpispec_arguments_data(&call, buffer, count, datatype)) {
    *error = count < 0 ? MPI_ERR_COUNT : !buffer ? MPI_ERR_BUFFER : MPI_ERR_TYPE;
    return NULL;
  }
  if (!result) {
    *error = MPI_ERR_ARG;
    return NULL;
  }
  struct mpispec_request *request = mpispec_request_begin(MPISPEC_RECEIVE, &call, 0);
  --mpispec_messages_held;
  mpispec_receive_message(request, holder->message);
  mpispec_request_end(holder);
  *handle = MPI_MESSAGE_NULL;
  return request;
}

/* Returns 0 if the message is the library's. */
static int receive(void *buffer, MPI_Count count, MPI_Datatype datatype, MPI_Message *message,
                   MPI_Status *status, int *error) {
  mpispec_lock();
  struct mpispec_request *request = start(buffer, count, datatype, message,
                                          mpispec_status_is_there(status) ? error : NULL, error);
  MPI_Comm communicator = MPI_COMM_WORLD;
  if (request) {
    communicator = request->call.communicator->handle;
    mpispec_request_wait(request);
    *error = mpispec_request_finish(request, status);
  }
  mpispec_unlock();
  if (*error)
    mpispec_raise(communicator, *error);
  return request || *error;
}

static int receive_later(void *buffer, MPI_Count count, MPI_Datatype datatype, MPI_Message *message,
                         MPI_Request *handle, int *error) {
  mpispec_lock();
  struct mpispec_request *request = start(buffer, count, datatype, message, handle, error);
  if (request)
    *handle = mpispec_request_handle(request);
  mpispec_unlock();
  if (*error)
    mpispec_raise(MPI_COMM_WORLD, *error);
  return request || *error;
}

#define RECEIVE(NAME, COUNT)                                                                       \
  int MPI_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, MPI_Message *message,           \
                 MPI_Status *status) {                                                             \
    MPISPEC_PROFILED(NAME, buffer, count, datatype, message, status);                              \
    int error;                                                                                     \
    if (receive(buffer, count, datatype, message, status, &error))                                 \
      return error;                                                                                \
    return MPISPEC_IN_LIBRARY(mpispec_next.NAME(buffer, count, datatype, message, status));        \
  }

#define NONBLOCKING(NAME, COUNT)                                                                   \
  int MPI_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, MPI_Message *message,           \
                 MPI_Request *request) {                                                           \
    MPISPEC_PROFILED(NAME, buffer, count, datatype, message, request);                             \
    int error;                                                                                     \
    if (receive_later(buffer, count, datatype, message, request, &error))                          \
      return error;                                                                                \
    return mpispec_next.NAME(buffer, count, datatype, message, request);                           \
  }

RECEIVE(Mrecv, int)
RECEIVE(Mrecv_c, MPI_Count)
NONBLOCKING(Imrecv, int)
NONBLOCKING(Imrecv_c, MPI_Count)
