/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Sendrecv, MPI_Sendrecv_replace, MPI_Isendrecv, MPI_Isendrecv_replace. The runtime executes
 * the send and the receive separately, because they may take different paths. If the library must
 * execute both, it gets the whole call. */
#include "comm/communicator.h"
#include "datatype/datatype.h"
#include "interposition/arguments.h"
#include "interposition/fortran/mpif_entry.h"
#include "interposition/library/next.h"
#include "job/memory.h"
#include "job/node.h"
#include "mpispec/status.h"
#include "p2p/decoded_exchange.h"
#include "p2p/request.h"
#include "p2p/request_wait.h"
#include "p2p/send_cells.h"
#include "profile/profile.h"
#include "progress/doorbell.h"
#include "progress/helper.h"
#include "progress/lock.h"
#include "progress/progress.h"

#include <stdlib.h>

/* One side of the call. */
struct side {
  void *buffer;
  MPI_Count count;
  MPI_Datatype datatype;
  int peer, tag;
};

/* MPISPEC_NETWORK if the peer is MPI_PROC_NULL and all other arguments are valid. */
static enum mpispec_path path_of(const struct side *side, MPI_Comm communicator, int wild) {
  struct mpispec_call call;
  return mpispec_arguments_name_nobody(side->buffer, side->count, side->datatype, side->peer,
                                       side->tag, communicator, wild)
             ? MPISPEC_NETWORK
             : mpispec_arguments(&call, side->buffer, side->count, side->datatype, side->peer,
                                 side->tag, communicator, wild);
}

/* Nonzero if the library must execute the call. The reason is that the path of a side is
 * MPISPEC_LIBRARY, or that both peers are MPI_PROC_NULL. The result is also nonzero if the library
 * would execute both sides, unless other ranks may need this rank's progress. */
static int is_foreign(const struct side *send, const struct side *receive, MPI_Comm communicator) {
  const enum mpispec_path out = path_of(send, communicator, 0);
  const enum mpispec_path in = path_of(receive, communicator, 1);
  if (out == MPISPEC_LIBRARY || in == MPISPEC_LIBRARY)
    return 1;
  if (send->peer == MPI_PROC_NULL && receive->peer == MPI_PROC_NULL)
    return 1;
  return out == MPISPEC_NETWORK && in == MPISPEC_NETWORK && !mpispec_progress_is_needed();
}

static int is_for_library(const struct side *send, const struct side *receive,
                          MPI_Comm communicator) {
  mpispec_lock();
  const int foreign = is_foreign(send, receive, communicator);
  mpispec_unlock();
  return foreign;
}

/* Starts the receive, then the send. A receive from MPI_PROC_NULL is complete at once. If the send
 * fails, the receive is cancelled, because the program may free the buffer. */
static int start(const struct side *send, const struct side *receive, MPI_Comm communicator,
                 MPI_Request handles[2]) {
  int error = MPI_SUCCESS;
  handles[1] = mpispec_request_done;
  if (receive->peer != MPI_PROC_NULL)
    error = MPI_Irecv_c(receive->buffer, receive->count, receive->datatype, receive->peer,
                        receive->tag, communicator, &handles[1]);
  if (error)
    return error;
  error = MPI_Isend_c(send->buffer, send->count, send->datatype, send->peer, send->tag,
                      communicator, &handles[0]);
  if (error && receive->peer != MPI_PROC_NULL) {
    MPI_Cancel(&handles[1]);
    MPI_Request_free(&handles[1]);
  }
  return error;
}

/* Sets the status of a receive from MPI_PROC_NULL (MPI 4.0, "Null Processes"). */
static void set_null_status(const struct side *receive, MPI_Status *status) {
  if (receive->peer == MPI_PROC_NULL)
    mpispec_status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, 0);
}

/* The call waits for this send from now on. */
static void announce(MPI_Request sending) {
  mpispec_lock();
  mpispec_requests_announce_wait(1, &sending);
  mpispec_unlock();
}

/* Receives, and completes a send that has begun. */
static int finish(const struct side *receive, MPI_Comm communicator, MPI_Status *status,
                  MPI_Request sending) {
  if (sending != mpispec_request_done)
    announce(sending);
  const int error = MPI_Recv_c(receive->buffer, receive->count, receive->datatype, receive->peer,
                               receive->tag, communicator, status);
  const int send_error =
      sending == mpispec_request_done ? MPI_SUCCESS : MPI_Wait(&sending, MPI_STATUS_IGNORE);
  return error ? error : send_error;
}

/* Sends, then receives. A short send is complete when it has begun. */
static int send_then_receive(const struct side *send, const struct side *receive,
                             MPI_Comm communicator, MPI_Status *status) {
  MPI_Request sending = MPI_REQUEST_NULL; /* initialized for MPICH 5 (mpi_recv.c) */
  const int error = MPI_Isend_c(send->buffer, send->count, send->datatype, send->peer, send->tag,
                                communicator, &sending);
  return error ? error : finish(receive, communicator, status, sending);
}

/* Makes a packed copy of the data to be sent, so that the buffer is free for the receive. The type
 * MPI_PACKED matches any other type. */
static void *copy_out(struct side *send) {
  mpispec_lock();
  struct mpispec_call call;
  mpispec_arguments_data(&call, send->buffer, send->count, send->datatype);
  unsigned char *copy = mpispec_check_allocation(malloc((size_t)call.bytes + 1));
  if (call.bytes)
    mpispec_send_pack(&call, copy);
  mpispec_unlock();
  *send = (struct side){copy, call.bytes, MPI_PACKED, send->peer, send->tag};
  return copy;
}

/* Starts both operations as one request. `copy` is freed with this request. */
static int isendrecv(const struct side *send, const struct side *receive, void *copy,
                     MPI_Comm communicator, MPI_Request *handle) {
  MPI_Request handles[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  const int error = start(send, receive, communicator, handles);
  if (error) {
    free(copy);
    return error;
  }
  mpispec_lock();
  const struct mpispec_call call = {.communicator = mpispec_communicator_find(communicator),
                                    .contiguous = 1};
  struct mpispec_request *pair = mpispec_request_begin(MPISPEC_PAIR, &call, 0);
  pair->foreign[0] = handles[0];
  pair->foreign[1] = handles[1];
  pair->staging = copy;
  set_null_status(receive, &pair->status);
  *handle = mpispec_request_handle(pair);
  mpispec_unlock();
  return MPI_SUCCESS;
}

/* Instead of an error class: nothing was exchanged. */
enum { DECLINED = -1 };

/* Exchanges on the communicator that was found last, with datatypes in the table of sizes. Called
 * with the lock held, or in a process that uses no lock. */
static inline __attribute__((always_inline)) enum mpispec_exchanged
exchange_locked(const struct side *send, const struct side *receive, MPI_Comm communicator,
                MPI_Status *status, MPI_Request *sending) {
  int64_t bytes, room;
  const struct mpispec_communicator *known =
      mpispec_arguments_on(mpispec_communicator_if_last(communicator), send->buffer, send->count,
                           send->datatype, send->peer, send->tag, &bytes);
  if (!mpispec_arguments_on(known, receive->buffer, receive->count, receive->datatype,
                            receive->peer, receive->tag, &room))
    return MPISPEC_NOT_EXCHANGED;
  const struct mpispec_exchange x = {
      &known->route,   send->buffer, bytes,         send->peer,   send->tag,
      receive->buffer, room,         receive->peer, receive->tag, mpispec_status_wanted(status)};
  if (known->peer_of[send->peer] >= 0)
    mpispec_doorbell_note(known->peer_of[send->peer]);
  return mpispec_exchange_start(&x, sending);
}

static inline __attribute__((always_inline)) enum mpispec_exchanged
exchange(const struct side *send, const struct side *receive, MPI_Comm communicator,
         MPI_Status *status, MPI_Request *sending) {
  if (mpispec_fast_path_stays_disabled || !mpispec_status_is_there(status))
    return MPISPEC_NOT_EXCHANGED;
  mpispec_lock();
  const enum mpispec_exchanged exchanged =
      exchange_locked(send, receive, communicator, status, sending);
  mpispec_unlock();
  return exchanged;
}

/* Returns DECLINED if the library must execute the call. If `replaces` is nonzero, both sides have
 * one buffer. Then a copy is sent, unless the send can complete at once. */
static int sendrecv(const struct side *send, const struct side *receive, MPI_Comm communicator,
                    MPI_Status *status, int replaces) {
  MPI_Request sending;
  const enum mpispec_exchanged exchanged =
      mpispec_exchange_was_begun(&sending)
          ? MPISPEC_HALF_EXCHANGED
          : exchange(send, receive, communicator, status, &sending);
  if (exchanged == MPISPEC_EXCHANGED)
    return MPI_SUCCESS;
  if (exchanged == MPISPEC_HALF_EXCHANGED)
    return finish(receive, communicator, status, sending);
  if (!mpispec_status_is_there(status) || is_for_library(send, receive, communicator))
    return DECLINED;
  struct side packed = *send;
  void *copy = replaces ? copy_out(&packed) : NULL;
  const int error = send_then_receive(&packed, receive, communicator, status);
  free(copy);
  return error;
}

/* Executes the nonblocking form. Returns DECLINED if the library must execute the call. */
static int begin(const struct side *send, const struct side *receive, MPI_Comm communicator,
                 MPI_Request *request, int replaces) {
  if (!request || is_for_library(send, receive, communicator))
    return DECLINED;
  struct side packed = *send;
  void *copy = replaces ? copy_out(&packed) : NULL;
  return isendrecv(&packed, receive, copy, communicator, request);
}

/* The two functions of each macro differ only in the type of a count. Each function contains a gate
 * for profiles. The gate jumps to the profile. Therefore the return address of the program's call
 * stays where the profile reads it. */
#define SENDRECV(NAME, COUNT)                                                                      \
  int MPI_##NAME(const void *send_buffer, COUNT send_count, MPI_Datatype send_type, int dest,      \
                 int send_tag, void *receive_buffer, COUNT receive_count,                          \
                 MPI_Datatype receive_type, int source, int receive_tag, MPI_Comm communicator,    \
                 MPI_Status *status) {                                                             \
    MPISPEC_PROFILED(NAME, ARGUMENTS(status));                                                     \
    const struct side send = {(void *)(uintptr_t)send_buffer, send_count, send_type, dest,         \
                              send_tag};                                                           \
    const struct side receive = {receive_buffer, receive_count, receive_type, source,              \
                                 receive_tag};                                                     \
    const int error = sendrecv(&send, &receive, communicator, status, 0);                          \
    return error != DECLINED ? error : MPISPEC_IN_LIBRARY(mpispec_next.NAME(ARGUMENTS(status)));   \
  }

#define SENDRECV_REPLACE(NAME, COUNT)                                                              \
  int MPI_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int dest, int send_tag,         \
                 int source, int receive_tag, MPI_Comm communicator, MPI_Status *status) {         \
    MPISPEC_PROFILED(NAME, REPLACE_ARGUMENTS(status));                                             \
    const struct side send = {buffer, count, datatype, dest, send_tag};                            \
    const struct side receive = {buffer, count, datatype, source, receive_tag};                    \
    const int error = sendrecv(&send, &receive, communicator, status, 1);                          \
    return error != DECLINED ? error                                                               \
                             : MPISPEC_IN_LIBRARY(mpispec_next.NAME(REPLACE_ARGUMENTS(status)));   \
  }

#define ISENDRECV(NAME, COUNT)                                                                     \
  int MPI_##NAME(const void *send_buffer, COUNT send_count, MPI_Datatype send_type, int dest,      \
                 int send_tag, void *receive_buffer, COUNT receive_count,                          \
                 MPI_Datatype receive_type, int source, int receive_tag, MPI_Comm communicator,    \
                 MPI_Request *request) {                                                           \
    MPISPEC_PROFILED(NAME, ARGUMENTS(request));                                                    \
    const struct side send = {(void *)(uintptr_t)send_buffer, send_count, send_type, dest,         \
                              send_tag};                                                           \
    const struct side receive = {receive_buffer, receive_count, receive_type, source,              \
                                 receive_tag};                                                     \
    const int error = begin(&send, &receive, communicator, request, 0);                            \
    return error != DECLINED ? error : mpispec_next.NAME(ARGUMENTS(request));                      \
  }

#define ISENDRECV_REPLACE(NAME, COUNT)                                                             \
  int MPI_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int dest, int send_tag,         \
                 int source, int receive_tag, MPI_Comm communicator, MPI_Request *request) {       \
    MPISPEC_PROFILED(NAME, REPLACE_ARGUMENTS(request));                                            \
    const struct side send = {buffer, count, datatype, dest, send_tag};                            \
    const struct side receive = {buffer, count, datatype, source, receive_tag};                    \
    const int error = begin(&send, &receive, communicator, request, 1);                            \
    return error != DECLINED ? error : mpispec_next.NAME(REPLACE_ARGUMENTS(request));              \
  }

/* The parameters of these functions, the last of which is a status or a request. */
#define ARGUMENTS(LAST)                                                                            \
  send_buffer, send_count, send_type, dest, send_tag, receive_buffer, receive_count, receive_type, \
      source, receive_tag, communicator, LAST
#define REPLACE_ARGUMENTS(LAST)                                                                    \
  buffer, count, datatype, dest, send_tag, source, receive_tag, communicator, LAST

SENDRECV(Sendrecv, int)
SENDRECV(Sendrecv_c, MPI_Count)
SENDRECV_REPLACE(Sendrecv_replace, int)
SENDRECV_REPLACE(Sendrecv_replace_c, MPI_Count)
ISENDRECV(Isendrecv, int)
ISENDRECV(Isendrecv_c, MPI_Count)
ISENDRECV_REPLACE(Isendrecv_replace, int)
ISENDRECV_REPLACE(Isendrecv_replace_c, MPI_Count)

#ifdef MPISPEC_STYLE_MPICH
MPISPEC_MPIF(sendrecv, SENDRECV,
             (send_buffer, send_count, send_type, dest, send_tag, receive_buffer, receive_count,
              receive_type, source, receive_tag, comm, status, ierror),
             void *send_buffer, const int *send_count, const MPI_Datatype *send_type,
             const int *dest, const int *send_tag, void *receive_buffer, const int *receive_count,
             const MPI_Datatype *receive_type, const int *source, const int *receive_tag,
             const MPI_Comm *comm, MPI_Status *status, int *ierror) {
  MPISPEC_MPIF_GATE(sendrecv, send_buffer, send_count, send_type, dest, send_tag, receive_buffer,
                    receive_count, receive_type, source, receive_tag, comm, status, ierror);
  *ierror = MPI_Sendrecv(mpispec_mpif_buffer(send_buffer), *send_count, *send_type, *dest,
                         *send_tag, mpispec_mpif_buffer(receive_buffer), *receive_count,
                         *receive_type, *source, *receive_tag, *comm, mpispec_mpif_status(status));
}
#endif
