/* Persistent point-to-point: MPI_Send_init and its kin, MPI_Recv_init, MPI_Start, MPI_Startall.
 *
 * What the MPI library carries stays its request, but for receives from other nodes on an
 * adopted communicator: those must be able to queue behind a receive from anywhere (network.c), so
 * they are ours and start as the library's nonblocking receive. */
#include "interposition/arguments.h"
#include "interposition/library/next.h"
#include "job/node.h"
#include "mpispec/message.h"
#include "p2p/attached_buffer.h"
#include "p2p/block.h"
#include "p2p/completion.h"
#include "p2p/network.h"
#include "p2p/plain.h"
#include "p2p/queues.h"
#include "p2p/receiver.h"
#include "p2p/request.h"
#include "p2p/sender.h"
#include "profile/profile.h"
#include "progress/helper.h"
#include "progress/lock.h"

static int make_send(const void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                     MPI_Comm communicator, enum mpispec_send_mode mode, MPI_Request *handle) {
  struct mpispec_call call;
  mpispec_lock();
  const int ours = handle && mpispec_arguments(&call, buffer, count, datatype, peer, tag,
                                               communicator, 0) == MPISPEC_LANE;
  if (ours) {
    call.mode = mode;
    struct mpispec_request *request = mpispec_request_begin(MPISPEC_SEND, &call, 1);
    const struct mpispec_route *route = &call.communicator->route;
    if (mode == mpispec_standard && call.contiguous && (uint64_t)call.bytes <= mpispec_cell_payload)
      request->start = (struct mpispec_start){.writer = route->writers[peer],
                                              .key = route->key | (unsigned)tag,
                                              .header = route->header | (uint64_t)call.bytes};
    *handle = mpispec_request_handle(request);
  }
  mpispec_unlock();
  return ours;
}

static int make_receive(void *buffer, MPI_Count count, MPI_Datatype datatype, int peer, int tag,
                        MPI_Comm communicator, MPI_Request *handle) {
  struct mpispec_call call;
  mpispec_lock();
  const enum mpispec_path path =
      handle ? mpispec_arguments(&call, buffer, count, datatype, peer, tag, communicator, 1)
             : MPISPEC_LIBRARY;
  if (path != MPISPEC_LIBRARY) {
    struct mpispec_request *request =
        mpispec_request_begin(path == MPISPEC_LANE ? MPISPEC_RECEIVE : MPISPEC_FOREIGN, &call, 1);
    const struct mpispec_receive pattern = mpispec_receive_pattern(call.communicator, call.tag);
    request->receive.key = pattern.key;
    request->receive.wild = pattern.wild;
    if (path == MPISPEC_LANE && peer >= 0 && call.bytes <= MPISPEC_BLOCK_BYTES)
      request->start.reader = call.communicator->route.readers[peer];
    *handle = mpispec_request_handle(request);
  }
  mpispec_unlock();
  return path != MPISPEC_LIBRARY;
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

static int start_foreign(struct mpispec_request *request) {
  const struct mpispec_call *call = &request->call;
  if (mpispec_network_is_listed(call->communicator, call->peer, call->tag)) {
    mpispec_network_list(request);
    return MPI_SUCCESS;
  }
  request->in_library = 1;
  return PMPI_Irecv_c(call->buffer, call->count, call->datatype, call->peer, call->tag,
                      call->communicator->handle, &request->foreign[0]);
}

/* Posts a receive of up to 64 KiB from a rank of this node, without a look at its lane, like any
 * other (mpi_irecv.c). What it waits for stands in it since it was made. To be called only while no
 * receive from any source waits; the caller counts it. */
static inline __attribute__((always_inline)) int post(struct mpispec_request *request) {
  struct mpispec_reader *const reader = request->start.reader;
  if (!reader || reader->kept)
    return 0;
  request->active = 1;
  request->lane = reader;
  mpispec_matching_link(reader, &request->receive);
  return 1;
}

/* A message of one cell, if there is room for it. */
static inline __attribute__((always_inline)) int put(struct mpispec_request *request) {
  struct mpispec_writer *const writer = request->start.writer;
  if (!writer || writer->next >= writer->limit)
    return 0;
  struct mpispec_cell *const cell = writer->next;
  cell->header = request->start.header;
  mpispec_copy(cell->payload, request->call.buffer, (uint64_t)request->call.bytes, 1);
  mpispec_cell_publish(cell, writer->lap | request->start.key);
  ++writer->next;
  request->complete = MPISPEC_COMPLETE_AT_START;
  request->active = 1;
  return 1;
}

/* The request of one of the first handles if it is at rest, or null. What is not persistent has no
 * `start`. */
static inline __attribute__((always_inline)) struct mpispec_request *at_rest(MPI_Request handle) {
  struct mpispec_receive *known = mpispec_receive_find((mpispec_handle)handle);
  struct mpispec_request *request = known ? mpispec_request_of(known) : NULL;
  return request && !request->active ? request : NULL;
}

/* Both from the front of an array on. They return how many. */
static inline __attribute__((always_inline)) int post_row(int count, const MPI_Request *handles) {
  const MPI_Request *handle = handles, *const end = handles + count;
  struct mpispec_request *request;
  if (mpispec_matching_awaits_any(&mpispec_queues))
    return 0;
  while (handle < end && (request = at_rest(*handle)) && post(request))
    ++handle;
  mpispec_state.posted += (unsigned long)(handle - handles);
  return (int)(handle - handles);
}

static inline __attribute__((always_inline)) int put_row(int count, const MPI_Request *handles) {
  const MPI_Request *handle = handles, *const end = handles + count;
  struct mpispec_request *request;
  while (handle < end && (request = at_rest(*handle)) && put(request))
    ++handle;
  return (int)(handle - handles);
}

static inline __attribute__((always_inline)) int start_row(int count, const MPI_Request *handles) {
  int started = put_row(count, handles);
  if (!started)
    started = post_row(count, handles);
  mpispec_state.made += (unsigned long)started;
  return started;
}

/* Of one that does not start in few steps. */
static __attribute__((noinline)) int start_slowly(struct mpispec_request *request) {
  ++mpispec_state.made;
  if (put(request) || (request->start.writer &&
                       mpispec_send_makes_room(mpispec_peer_of(&request->call), 1) && put(request)))
    return MPI_SUCCESS;
  if (!mpispec_matching_awaits_any(&mpispec_queues) && post(request)) {
    ++mpispec_state.posted;
    return MPI_SUCCESS;
  }
  request->active = 1;
  request->call.blocking = 0;
  if (request->kind == MPISPEC_FOREIGN)
    return start_foreign(request);
  if (request->kind == MPISPEC_RECEIVE)
    mpispec_receive_start(request, MPISPEC_UNTRIED);
  else if (request->call.mode == mpispec_buffered &&
           !mpispec_buffer_has_room(request->call.bytes)) {
    request->active = 0;
    return MPI_ERR_BUFFER;
  } else
    mpispec_send_restart(request, mpispec_peer_of(&request->call));
  return MPI_SUCCESS;
}

int MPI_Start(MPI_Request *handle) {
  MPISPEC_GATE(Start, handle);
  mpispec_lock();
  struct mpispec_request *request = handle ? mpispec_request_find(*handle) : NULL;
  if (!request || !request->persistent || request->active) {
    const int ours = handle && mpispec_request_is_ours(*handle);
    mpispec_unlock();
    return ours ? mpispec_raise(MPI_COMM_WORLD, MPI_ERR_REQUEST) : mpispec_next.Start(handle);
  }
  const int error = start_row(1, handle) ? MPI_SUCCESS : start_slowly(request);
  const MPI_Comm communicator = request->call.communicator->handle;
  mpispec_unlock();
  return error ? mpispec_raise(communicator, error) : MPI_SUCCESS;
}

int MPI_Startall(int count, MPI_Request requests[]) {
  MPISPEC_GATE(Startall, count, requests);
  int begun = 0, theirs = 1;
  mpispec_lock();
  while (requests && begun < count) {
    const int started = start_row(count - begun, requests + begun);
    begun += started;
    if (started)
      continue;
    struct mpispec_request *request = mpispec_request_find(requests[begun]);
    if (!request || !request->persistent || request->active || start_slowly(request))
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
