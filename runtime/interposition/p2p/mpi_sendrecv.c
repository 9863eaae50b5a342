/* MPI_Sendrecv, MPI_Sendrecv_replace, MPI_Isendrecv, MPI_Isendrecv_replace: a nonblocking receive
 * and a nonblocking send, each by its own route. The library does both if it would do both anyway.
 */
#include "comm/communicator.h"
#include "datatype/datatype.h"
#include "interposition/arguments.h"
#include "interposition/library/next.h"
#include "interposition/p2p/decoded.h"
#include "job/memory.h"
#include "job/node.h"
#include "mpispec/message.h"
#include "p2p/block.h"
#include "p2p/completion.h"
#include "p2p/decoded_recv.h"
#include "p2p/decoded_send.h"
#include "p2p/queues.h"
#include "p2p/request.h"
#include "profile/profile.h"
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

/* A null process has no route, but all else about the call must be right. */
static enum mpispec_path path_of(const struct side *side, MPI_Comm communicator, int wild) {
  struct mpispec_call call;
  const int nobody = side->peer == MPI_PROC_NULL;
  const enum mpispec_path path =
      mpispec_arguments(&call, side->buffer, side->count, side->datatype, nobody ? 0 : side->peer,
                        side->tag, communicator, wild);
  return nobody && path == MPISPEC_LANE ? MPISPEC_NETWORK : path;
}

/* Would the library do both sides as they stand? */
static int is_foreign(const struct side *send, const struct side *receive, MPI_Comm communicator) {
  const enum mpispec_path out = path_of(send, communicator, 0);
  const enum mpispec_path in = path_of(receive, communicator, 1);
  if (out == MPISPEC_LIBRARY || in == MPISPEC_LIBRARY)
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

/* Starts the receive, then the send. A receive from a null process is over at once. */
static int start(const struct side *send, const struct side *receive, MPI_Comm communicator,
                 MPI_Request handles[2]) {
  int error = MPI_SUCCESS;
  handles[1] = mpispec_request_done;
  if (receive->peer != MPI_PROC_NULL)
    error = MPI_Irecv_c(receive->buffer, receive->count, receive->datatype, receive->peer,
                        receive->tag, communicator, &handles[1]);
  return error ? error
               : MPI_Isend_c(send->buffer, send->count, send->datatype, send->peer, send->tag,
                             communicator, &handles[0]);
}

/* MPI 4.0, section 3.10. */
static void tell_of_null_process(const struct side *receive, MPI_Status *status) {
  if (receive->peer == MPI_PROC_NULL)
    mpispec_status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, 0);
}

/* The receive, and the end of a send that has begun. */
static int finish(const struct side *receive, MPI_Comm communicator, MPI_Status *status,
                  MPI_Request sending) {
  const int error = MPI_Recv_c(receive->buffer, receive->count, receive->datatype, receive->peer,
                               receive->tag, communicator, status);
  const int send_error =
      sending == mpispec_request_done ? MPI_SUCCESS : MPI_Wait(&sending, MPI_STATUS_IGNORE);
  return error ? error : send_error;
}

/* A short send is over at once, and then only a receive is left. */
static int sendrecv(const struct side *send, const struct side *receive, MPI_Comm communicator,
                    MPI_Status *status) {
  MPI_Request sending = MPI_REQUEST_NULL; /* mpi_recv.c says why */
  const int error = MPI_Isend_c(send->buffer, send->count, send->datatype, send->peer, send->tag,
                                communicator, &sending);
  return error ? error : finish(receive, communicator, status, sending);
}

/* A packed copy of what is sent, so that the buffer is free for what is received. The type
 * MPI_PACKED matches any other. */
static void *copy_out(struct side *send) {
  mpispec_lock();
  struct mpispec_call call;
  mpispec_arguments_data(&call, send->buffer, send->count, send->datatype);
  unsigned char *copy = mpispec_must_have(malloc((size_t)call.bytes + 1));
  if (call.bytes)
    mpispec_datatype_pack(call.buffer, call.count, call.datatype, copy, call.bytes);
  mpispec_unlock();
  *send = (struct side){copy, call.bytes, MPI_PACKED, send->peer, send->tag};
  return copy;
}

/* Both operations under one handle; `copy` is freed with it. */
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
  tell_of_null_process(receive, &pair->status);
  *handle = mpispec_request_handle(pair);
  mpispec_unlock();
  return MPI_SUCCESS;
}

/* What has come of an exchange whose arguments are decoded. */
enum exchanged { NOTHING, SENT, ALL };

/* With oneself, straight from buffer to buffer, while nothing is queued before. */
static inline __attribute__((always_inline)) enum exchanged
hand_over(const struct mpispec_exchange *x) {
  return x->destination == x->source && x->send_tag == x->recv_tag && x->bytes <= x->room &&
                 x->bytes <= MPISPEC_BLOCK_BYTES && !mpispec_matching_awaits_any(&mpispec_queues) &&
                 mpispec_hand_over(x->route, x->send_buffer, x->recv_buffer, (uint64_t)x->bytes, 1,
                                   x->source, x->recv_tag, x->status)
             ? ALL
             : NOTHING;
}

/* With others: sends, and receives what is there. A buffer that is to be replaced must be free at
 * once. `*sending` is the send's request, unless nothing was done. */
static inline __attribute__((always_inline)) enum exchanged
exchange(const struct mpispec_exchange *x, MPI_Request *sending) {
  const struct mpispec_route *route = x->route;
  if (mpispec_is_self(route, x->destination))
    return hand_over(x);
  *sending = mpispec_request_done;
  if (mpispec_send_at_once(x->send_buffer, x->bytes, route, x->destination, x->send_tag) &&
      (x->send_buffer == x->recv_buffer ||
       mpispec_send_standard(x->send_buffer, x->bytes, route, x->destination, x->send_tag,
                             mpispec_request_words(sending))))
    return NOTHING;
  return *sending == mpispec_request_done && !mpispec_receive_now(x->recv_buffer, x->room, route,
                                                                  x->source, x->recv_tag, x->status)
             ? ALL
             : SENT;
}

/* The request of a send of which a template has only that. */
static MPI_Request sent_by_template = mpispec_request_done;

int mpispec_exchange_now(const struct mpispec_exchange *x) {
  const enum exchanged come = exchange(x, &sent_by_template);
  mpispec_state.half_done = come == SENT;
  return come != ALL;
}

/* Has a template sent already, and only the receive is left? (mpispec/sendrecv.h;
 * docs/contributing/add-a-template.md draws the protocol.) Its short messages are over when it has.
 */
static int is_half_done(MPI_Request *sending) {
  if (!mpispec_node.size || !mpispec_state.half_done)
    return 0;
  *sending = sent_by_template;
  sent_by_template = mpispec_request_done;
  mpispec_state.half_done = 0;
  return 1;
}

/* Whatever needs no more than the last communicator and types that templates know. */
static enum exchanged exchange_short(const struct side *send, const struct side *receive,
                                     MPI_Comm communicator, MPI_Status *status,
                                     MPI_Request *sending) {
  int64_t bytes, room;
  const struct mpispec_communicator *known = mpispec_arguments_short(
      send->buffer, send->count, send->datatype, send->peer, send->tag, communicator, &bytes);
  if (!known || !mpispec_status_is_there(status) ||
      !mpispec_arguments_short(receive->buffer, receive->count, receive->datatype, receive->peer,
                               receive->tag, communicator, &room))
    return NOTHING;
  const struct mpispec_exchange x = {
      &known->route,   send->buffer, bytes,         send->peer,   send->tag,
      receive->buffer, room,         receive->peer, receive->tag, mpispec_status_wanted(status)};
  return exchange(&x, sending);
}

/* A profile's gate stands before all else, so that it saves no register for the rest. */
#define SENDRECV(NAME, COUNT)                                                                      \
  int MPI_##NAME(const void *send_buffer, COUNT send_count, MPI_Datatype send_type, int dest,      \
                 int send_tag, void *receive_buffer, COUNT receive_count,                          \
                 MPI_Datatype receive_type, int source, int receive_tag, MPI_Comm communicator,    \
                 MPI_Status *status) {                                                             \
    if (mpispec_short_ways_shut)                                                                   \
      MPISPEC_PROFILED(NAME, send_buffer, send_count, send_type, dest, send_tag, receive_buffer,   \
                       receive_count, receive_type, source, receive_tag, communicator, status);    \
    const struct side send = {(void *)(uintptr_t)send_buffer, send_count, send_type, dest,         \
                              send_tag};                                                           \
    const struct side receive = {receive_buffer, receive_count, receive_type, source,              \
                                 receive_tag};                                                     \
    MPI_Request sending;                                                                           \
    const enum exchanged come =                                                                    \
        is_half_done(&sending) ? SENT                                                              \
                               : exchange_short(&send, &receive, communicator, status, &sending);  \
    if (come == ALL)                                                                               \
      return MPI_SUCCESS;                                                                          \
    if (come == SENT)                                                                              \
      return finish(&receive, communicator, status, sending);                                      \
    MPISPEC_PROFILED(NAME, send_buffer, send_count, send_type, dest, send_tag, receive_buffer,     \
                     receive_count, receive_type, source, receive_tag, communicator, status);      \
    if (mpispec_status_is_there(status) && !is_for_library(&send, &receive, communicator))         \
      return sendrecv(&send, &receive, communicator, status);                                      \
    mpispec_away();                                                                                \
    const int error =                                                                              \
        mpispec_next.NAME(send_buffer, send_count, send_type, dest, send_tag, receive_buffer,      \
                          receive_count, receive_type, source, receive_tag, communicator, status); \
    mpispec_back();                                                                                \
    return error;                                                                                  \
  }

#define SENDRECV_REPLACE(NAME, COUNT)                                                              \
  int MPI_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int dest, int send_tag,         \
                 int source, int receive_tag, MPI_Comm communicator, MPI_Status *status) {         \
    struct side send = {buffer, count, datatype, dest, send_tag};                                  \
    const struct side receive = {buffer, count, datatype, source, receive_tag};                    \
    int error;                                                                                     \
    MPI_Request sending;                                                                           \
    const enum exchanged come =                                                                    \
        is_half_done(&sending) ? SENT                                                              \
                               : exchange_short(&send, &receive, communicator, status, &sending);  \
    if (come == ALL)                                                                               \
      return MPI_SUCCESS;                                                                          \
    if (come == SENT)                                                                              \
      return finish(&receive, communicator, status, sending);                                      \
    MPISPEC_PROFILED(NAME, buffer, count, datatype, dest, send_tag, source, receive_tag,           \
                     communicator, status);                                                        \
    if (mpispec_status_is_there(status) && !is_for_library(&send, &receive, communicator)) {       \
      void *copy = copy_out(&send);                                                                \
      error = sendrecv(&send, &receive, communicator, status);                                     \
      free(copy);                                                                                  \
      return error;                                                                                \
    }                                                                                              \
    mpispec_away();                                                                                \
    error = mpispec_next.NAME(buffer, count, datatype, dest, send_tag, source, receive_tag,        \
                              communicator, status);                                               \
    mpispec_back();                                                                                \
    return error;                                                                                  \
  }

#define ISENDRECV(NAME, COUNT)                                                                     \
  int MPI_##NAME(const void *send_buffer, COUNT send_count, MPI_Datatype send_type, int dest,      \
                 int send_tag, void *receive_buffer, COUNT receive_count,                          \
                 MPI_Datatype receive_type, int source, int receive_tag, MPI_Comm communicator,    \
                 MPI_Request *request) {                                                           \
    MPISPEC_PROFILED(NAME, send_buffer, send_count, send_type, dest, send_tag, receive_buffer,     \
                     receive_count, receive_type, source, receive_tag, communicator, request);     \
    const struct side send = {(void *)(uintptr_t)send_buffer, send_count, send_type, dest,         \
                              send_tag};                                                           \
    const struct side receive = {receive_buffer, receive_count, receive_type, source,              \
                                 receive_tag};                                                     \
    if (request && !is_for_library(&send, &receive, communicator))                                 \
      return isendrecv(&send, &receive, NULL, communicator, request);                              \
    return mpispec_next.NAME(send_buffer, send_count, send_type, dest, send_tag, receive_buffer,   \
                             receive_count, receive_type, source, receive_tag, communicator,       \
                             request);                                                             \
  }

#define ISENDRECV_REPLACE(NAME, COUNT)                                                             \
  int MPI_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int dest, int send_tag,         \
                 int source, int receive_tag, MPI_Comm communicator, MPI_Request *request) {       \
    MPISPEC_PROFILED(NAME, buffer, count, datatype, dest, send_tag, source, receive_tag,           \
                     communicator, request);                                                       \
    struct side send = {buffer, count, datatype, dest, send_tag};                                  \
    const struct side receive = {buffer, count, datatype, source, receive_tag};                    \
    if (request && !is_for_library(&send, &receive, communicator)) {                               \
      void *copy = copy_out(&send);                                                                \
      return isendrecv(&send, &receive, copy, communicator, request);                              \
    }                                                                                              \
    return mpispec_next.NAME(buffer, count, datatype, dest, send_tag, source, receive_tag,         \
                             communicator, request);                                               \
  }

SENDRECV(Sendrecv, int)
SENDRECV(Sendrecv_c, MPI_Count)
SENDRECV_REPLACE(Sendrecv_replace, int)
SENDRECV_REPLACE(Sendrecv_replace_c, MPI_Count)
ISENDRECV(Isendrecv, int)
ISENDRECV(Isendrecv_c, MPI_Count)
ISENDRECV_REPLACE(Isendrecv_replace, int)
ISENDRECV_REPLACE(Isendrecv_replace_c, MPI_Count)
