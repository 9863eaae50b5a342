/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The profiled form of each function that is no collective operation (profiled_calls.h). */
#include "profile/profiled_calls.h"

#include "comm/communicator.h"
#include "p2p/request.h"
#include "progress/lock.h"

uint64_t mpispec_profile_bytes(MPI_Count count, MPI_Datatype datatype) {
  MPI_Count size = 0;
  if (count <= 0 || datatype == MPI_DATATYPE_NULL)
    return 0;
  if (mpispec_state.types) {
    mpispec_lock();
    size = mpispec_type_size((mpispec_type_handle)datatype);
    mpispec_unlock();
  }
  if (!size)
    PMPI_Type_size_x(datatype, &size);
  return size > 0 ? (uint64_t)count * (uint64_t)size : 0;
}

/* --- messages ----------------------------------------------------------------------------------*/

static inline struct mpispec_profile_call
message(const char *function, enum mpispec_profile_waits waits_for, const void *buffer,
        MPI_Count count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator) {
  return (struct mpispec_profile_call){.function = function,
                                       .waits_for = waits_for,
                                       .buffer = buffer,
                                       .bytes = mpispec_profile_bytes(count, datatype),
                                       .datatype = datatype,
                                       .peer = peer,
                                       .tag = tag,
                                       .communicator = communicator,
                                       .has_arguments = 1};
}

/* Nonzero if the lane's next line may be prefetched. This line is often in another core's cache,
 * and arrives while the call is counted. With several threads, another thread may move the lane's
 * ends meanwhile. */
static inline int may_fetch(int peer, MPI_Comm communicator) {
  return communicator == MPI_COMM_WORLD && (unsigned)peer < mpispec_state.world.size &&
         !mpispec_lock_is_shared();
}

/* The record of a call that sends a message to `peer`, and perhaps waits for another message. */
static inline struct mpispec_profile_call
sending(const char *function, enum mpispec_profile_waits waits_for, const void *buffer,
        MPI_Count count, MPI_Datatype datatype, int peer, int tag, MPI_Comm communicator) {
  struct mpispec_profile_call call =
      message(function, waits_for, buffer, count, datatype, peer, tag, communicator);
  if (may_fetch(peer, communicator))
    mpispec_prefetch(mpispec_state.world.writers[peer]->next);
  call.sends = 1;
  call.path = mpispec_path_of_send(&call);
  return call;
}

static inline struct mpispec_profile_call
receiving(const char *function, const void *buffer, MPI_Count count, MPI_Datatype datatype,
          int peer, int tag, MPI_Comm communicator,
          enum mpispec_profile_path path(const struct mpispec_profile_call *call)) {
  struct mpispec_profile_call call =
      message(function, MPISPEC_WAITS_FOR_SENDER, buffer, count, datatype, peer, tag, communicator);
  if (may_fetch(peer, communicator))
    __builtin_prefetch(mpispec_state.world.readers[peer]->next);
  call.receives = 1;
  call.path = path(&call);
  return call;
}

/* A send that is complete at once gets a request of its own, so that the profile counts its
 * completion. The common handle of these sends is completed without a gate. */
static int show_request(int error, MPI_Request *handle, MPI_Comm communicator) {
  if (error || !handle || *handle != mpispec_request_done || !mpispec_node.size)
    return error;
  mpispec_lock();
  const struct mpispec_call call = {.communicator = mpispec_communicator_find(communicator),
                                    .contiguous = 1};
  struct mpispec_request *request = mpispec_request_begin(MPISPEC_SEND, &call, 0);
  request->complete = 1;
  request->result = (struct mpispec_result){.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG};
  *handle = mpispec_request_handle(request);
  mpispec_unlock();
  return MPI_SUCCESS;
}

#define SEND(NAME, COUNT)                                                                          \
  int mpispec_seen_##NAME(const void *buffer, COUNT count, MPI_Datatype datatype, int peer,        \
                          int tag, MPI_Comm communicator) {                                        \
    struct mpispec_profile_call call = sending(#NAME, MPISPEC_WAITS_FOR_RECEIVER, buffer, count,   \
                                               datatype, peer, tag, communicator);                 \
    return MPISPEC_COUNTED(call, MPI_##NAME(buffer, count, datatype, peer, tag, communicator));    \
  }
SEND(Send, int)
SEND(Send_c, MPI_Count)
SEND(Bsend, int)
SEND(Bsend_c, MPI_Count)
SEND(Ssend, int)
SEND(Ssend_c, MPI_Count)
SEND(Rsend, int)
SEND(Rsend_c, MPI_Count)

#define ISEND(NAME, COUNT)                                                                         \
  int mpispec_seen_##NAME(const void *buffer, COUNT count, MPI_Datatype datatype, int peer,        \
                          int tag, MPI_Comm communicator, MPI_Request *request) {                  \
    struct mpispec_profile_call call = sending(#NAME, MPISPEC_WAITS_FOR_RECEIVER, buffer, count,   \
                                               datatype, peer, tag, communicator);                 \
    return MPISPEC_COUNTED(                                                                        \
        call, show_request(MPI_##NAME(buffer, count, datatype, peer, tag, communicator, request),  \
                           request, communicator));                                                \
  }
ISEND(Isend, int)
ISEND(Isend_c, MPI_Count)
ISEND(Ibsend, int)
ISEND(Ibsend_c, MPI_Count)
ISEND(Issend, int)
ISEND(Issend_c, MPI_Count)
ISEND(Irsend, int)
ISEND(Irsend_c, MPI_Count)

/* LAST is what an operation fills in: a status, or a request. */
#define RECEIVE(NAME, COUNT, PATH, LAST)                                                           \
  int mpispec_seen_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int peer, int tag,     \
                          MPI_Comm communicator, LAST *last) {                                     \
    struct mpispec_profile_call call =                                                             \
        receiving(#NAME, buffer, count, datatype, peer, tag, communicator, PATH);                  \
    return MPISPEC_COUNTED(call,                                                                   \
                           MPI_##NAME(buffer, count, datatype, peer, tag, communicator, last));    \
  }
RECEIVE(Recv, int, mpispec_path_of_receive, MPI_Status)
RECEIVE(Recv_c, MPI_Count, mpispec_path_of_receive, MPI_Status)
RECEIVE(Irecv, int, mpispec_path_of_posting, MPI_Request)
RECEIVE(Irecv_c, MPI_Count, mpispec_path_of_posting, MPI_Request)

#define SENDRECV(NAME, COUNT, LAST)                                                                \
  int mpispec_seen_##NAME(const void *send, COUNT send_count, MPI_Datatype send_type, int dest,    \
                          int send_tag, void *receive, COUNT receive_count,                        \
                          MPI_Datatype receive_type, int source, int receive_tag,                  \
                          MPI_Comm communicator, LAST *last) {                                     \
    struct mpispec_profile_call call = sending(#NAME, MPISPEC_WAITS_FOR_SENDER, send, send_count,  \
                                               send_type, dest, send_tag, communicator);           \
    return MPISPEC_COUNTED(call, MPI_##NAME(send, send_count, send_type, dest, send_tag, receive,  \
                                            receive_count, receive_type, source, receive_tag,      \
                                            communicator, last));                                  \
  }
SENDRECV(Sendrecv, int, MPI_Status)
SENDRECV(Sendrecv_c, MPI_Count, MPI_Status)
SENDRECV(Isendrecv, int, MPI_Request)
SENDRECV(Isendrecv_c, MPI_Count, MPI_Request)

#define REPLACE(NAME, COUNT, LAST)                                                                 \
  int mpispec_seen_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, int dest,              \
                          int send_tag, int source, int receive_tag, MPI_Comm communicator,        \
                          LAST *last) {                                                            \
    struct mpispec_profile_call call = sending(#NAME, MPISPEC_WAITS_FOR_SENDER, buffer, count,     \
                                               datatype, dest, send_tag, communicator);            \
    return MPISPEC_COUNTED(call, MPI_##NAME(buffer, count, datatype, dest, send_tag, source,       \
                                            receive_tag, communicator, last));                     \
  }
REPLACE(Sendrecv_replace, int, MPI_Status)
REPLACE(Sendrecv_replace_c, MPI_Count, MPI_Status)
REPLACE(Isendrecv_replace, int, MPI_Request)
REPLACE(Isendrecv_replace_c, MPI_Count, MPI_Request)

#define MRECV(NAME, COUNT, LAST)                                                                   \
  int mpispec_seen_##NAME(void *buffer, COUNT count, MPI_Datatype datatype, MPI_Message *matched,  \
                          LAST *last) {                                                            \
    struct mpispec_profile_call call = {.function = #NAME,                                         \
                                        .waits_for = MPISPEC_WAITS_FOR_SENDER,                     \
                                        .bytes = mpispec_profile_bytes(count, datatype),           \
                                        .path = MPISPEC_PATH_NO_TEMPLATE};                         \
    return MPISPEC_COUNTED(call, MPI_##NAME(buffer, count, datatype, matched, last));              \
  }
MRECV(Mrecv, int, MPI_Status)
MRECV(Mrecv_c, MPI_Count, MPI_Status)
MRECV(Imrecv, int, MPI_Request)
MRECV(Imrecv_c, MPI_Count, MPI_Request)

/* --- probes and completion ---------------------------------------------------------------------*/

#define PROBE(NAME, PATH, PARAMETERS, ARGUMENTS)                                                   \
  int mpispec_seen_##NAME PARAMETERS {                                                             \
    struct mpispec_profile_call call =                                                             \
        receiving(#NAME, NULL, 0, MPI_DATATYPE_NULL, peer, tag, communicator, PATH);               \
    return MPISPEC_COUNTED(call, MPI_##NAME ARGUMENTS);                                            \
  }
PROBE(Probe, mpispec_path_of_probe, (int peer, int tag, MPI_Comm communicator, MPI_Status *status),
      (peer, tag, communicator, status))
PROBE(Iprobe, mpispec_path_of_iprobe,
      (int peer, int tag, MPI_Comm communicator, int *flag, MPI_Status *status),
      (peer, tag, communicator, flag, status))
PROBE(Mprobe, mpispec_path_of_probe,
      (int peer, int tag, MPI_Comm communicator, MPI_Message *message, MPI_Status *status),
      (peer, tag, communicator, message, status))
PROBE(Improbe, mpispec_path_of_probe,
      (int peer, int tag, MPI_Comm communicator, int *flag, MPI_Message *message,
       MPI_Status *status),
      (peer, tag, communicator, flag, message, status))

/* Returns what a completion waits for. Requests are examined up to the first receive, or up to the
 * first one of the MPI library. The result is a sender if there is a receive among them, and a
 * receiver if there are only sends. */
static enum mpispec_profile_waits waits_for(int count, const MPI_Request requests[]) {
  enum mpispec_profile_waits result = MPISPEC_WAITS_FOR_ANY;
  mpispec_lock();
  for (int i = 0; requests && mpispec_node.size && i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL)
      continue;
    const struct mpispec_request *request = mpispec_request_find(requests[i]);
    if (request && !request->receive.reader && request->kind == MPISPEC_SEND)
      result = MPISPEC_WAITS_FOR_RECEIVER;
    else if (request && (request->receive.reader || request->kind != MPISPEC_PAIR))
      result = MPISPEC_WAITS_FOR_SENDER;
    if (result == MPISPEC_WAITS_FOR_SENDER || !request)
      break; /* after a send, a receive may follow */
  }
  mpispec_unlock();
  return result;
}

#define COMPLETE(NAME, COUNT, REQUESTS, PARAMETERS, ARGUMENTS)                                     \
  int mpispec_seen_##NAME PARAMETERS {                                                             \
    struct mpispec_profile_call call = {.function = #NAME,                                         \
                                        .waits_for = waits_for(COUNT, REQUESTS),                   \
                                        .path = mpispec_path_of_completion(COUNT, REQUESTS)};      \
    return MPISPEC_COUNTED(call, MPI_##NAME ARGUMENTS);                                            \
  }
COMPLETE(Start, 0, request, (MPI_Request * request), (request))
COMPLETE(Startall, 0, requests, (int count, MPI_Request requests[]), (count, requests))
COMPLETE(Wait, 1, request, (MPI_Request * request, MPI_Status *status), (request, status))
COMPLETE(Test, 1, request, (MPI_Request * request, int *flag, MPI_Status *status),
         (request, flag, status))
COMPLETE(Waitall, count, requests, (int count, MPI_Request requests[], MPI_Status statuses[]),
         (count, requests, statuses))
COMPLETE(Testall, count, requests,
         (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]),
         (count, requests, flag, statuses))
COMPLETE(Waitany, count, requests,
         (int count, MPI_Request requests[], int *index, MPI_Status *status),
         (count, requests, index, status))
COMPLETE(Testany, count, requests,
         (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
         (count, requests, index, flag, status))
COMPLETE(Waitsome, count, requests,
         (int count, MPI_Request requests[], int *found, int indices[], MPI_Status statuses[]),
         (count, requests, found, indices, statuses))
COMPLETE(Testsome, count, requests,
         (int count, MPI_Request requests[], int *found, int indices[], MPI_Status statuses[]),
         (count, requests, found, indices, statuses))
