/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Persistent point-to-point operations: MPI_Send_init and its modes, MPI_Recv_init, MPI_Start,
 * MPI_Startall. The MPI library starts the requests that it has made. */
#include "interposition/arguments.h"
#include "interposition/library/next.h"
#include "p2p/completion.h"
#include "p2p/persistent.h"
#include "p2p/request.h"
#include "profile/profile.h"
#include "progress/lock.h"

static int make_send(const void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                     MPI_Comm communicator, enum mpispec_send_mode mode, MPI_Request *handle) {
  struct mpispec_call call;
  struct mpispec_request *request = NULL;
  mpispec_lock();
  if (!handle) {
    /* an error, which the library raises */
  } else if (mpispec_arguments(&call, buffer, count, datatype, peer, tag, communicator, 0) ==
             MPISPEC_LANE) {
    call.mode = mode;
    request = mpispec_persistent_send(&call);
  } else if (mpispec_arguments_begin_nothing(buffer, count, datatype, peer, tag, communicator, 0)) {
    request = mpispec_persistent_nothing(mpispec_communicator_find(communicator), MPISPEC_SEND);
  }
  if (request)
    *handle = mpispec_request_handle(request);
  mpispec_unlock();
  return request != NULL;
}

static int make_receive(void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                        MPI_Comm communicator, MPI_Request *handle) {
  struct mpispec_call call;
  struct mpispec_request *request = NULL;
  mpispec_lock();
  if (!handle)
    /* an error, which the library raises */;
  else if (mpispec_arguments(&call, buffer, count, datatype, peer, tag, communicator, 1))
    request = mpispec_persistent_receive(&call);
  else if (mpispec_arguments_begin_nothing(buffer, count, datatype, peer, tag, communicator, 1))
    request = mpispec_persistent_nothing(mpispec_communicator_find(communicator), MPISPEC_RECEIVE);
  if (request)
    *handle = mpispec_request_handle(request);
  mpispec_unlock();
  return request != NULL;
}

#define SEND(NAME, COUNT, MODE)                                                                    \
  int MPI_##NAME(const void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,        \
                 MPI_Comm communicator, MPI_Request *request) {                                    \
    if (make_send(buffer, count, datatype, peer, tag, communicator, mpispec_##MODE, request))      \
      return MPI_SUCCESS;                                                                          \
    return mpispec_next.NAME(buffer, count, datatype, peer, tag, communicator, request);           \
  }

#define RECEIVE(NAME, COUNT)                                                                       \
  int MPI_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,              \
                 MPI_Comm communicator, MPI_Request *request) {                                    \
    if (make_receive(buffer, count, datatype, peer, tag, communicator, request))                   \
      return MPI_SUCCESS;                                                                          \
    return mpispec_next.NAME(buffer, count, datatype, peer, tag, communicator, request);           \
  }

SEND(Send_init, int, standard)
SEND(Send_init_c, MPI_Count, standard)
SEND(Bsend_init, int, buffered)
SEND(Bsend_init_c, MPI_Count, buffered)
SEND(Ssend_init, int, synchronous)
SEND(Ssend_init_c, MPI_Count, synchronous)
SEND(Rsend_init, int, standard)
SEND(Rsend_init_c, MPI_Count, standard)
RECEIVE(Recv_init, int)
RECEIVE(Recv_init_c, MPI_Count)

int MPI_Start(MPI_Request *handle) {
  MPISPEC_GATE(Start, handle);
  mpispec_lock();
  struct mpispec_request *request = handle ? mpispec_request_find(*handle) : NULL;
  if (!request || !request->persistent || request->active) {
    const int ours = handle && mpispec_request_is_ours(*handle);
    mpispec_unlock();
    return ours ? mpispec_raise(MPI_COMM_WORLD, MPI_ERR_REQUEST) : mpispec_next.Start(handle);
  }
  const int error =
      mpispec_persistent_start_row(1, handle) ? MPI_SUCCESS : mpispec_persistent_start(request);
  const MPI_Comm communicator = request->call.communicator->handle;
  mpispec_unlock();
  return error ? mpispec_raise(communicator, error) : MPI_SUCCESS;
}

int MPI_Startall(int count, MPI_Request requests[]) {
  MPISPEC_GATE(Startall, count, requests);
  int begun = 0, theirs = 1;
  mpispec_lock();
  while (requests && begun < count) {
    const int started = mpispec_persistent_start_row(count - begun, requests + begun);
    begun += started;
    if (started)
      continue;
    struct mpispec_request *request = mpispec_request_find(requests[begun]);
    if (!request || !request->persistent || request->active || mpispec_persistent_start(request))
      break;
    ++begun;
  }
  for (int i = begun; requests && i < count; ++i)
    theirs &= !mpispec_request_is_ours(requests[i]);
  mpispec_unlock();
  if (requests && begun == count)
    return MPI_SUCCESS;
  if (theirs)
    return mpispec_next.Startall(count - begun, requests ? requests + begun : requests);
  for (int i = begun; i < count; ++i) {
    const int error = MPI_Start(&requests[i]);
    if (error)
      return error;
  }
  return MPI_SUCCESS;
}
