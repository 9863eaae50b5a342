/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Persistent sends and receives. See persistent.h.
 *
 * A standard send of contiguous bytes in one cell takes the fast path at each start. A receive of
 * at most MPISPEC_BLOCK_BYTES from a rank of this node only joins the receives that wait for its
 * lane. The lanes of both are stored in `start` when the request is made.
 *
 * A send to MPI_PROC_NULL, or a receive from it, is complete as soon as it starts.
 *
 * A receive from another node is a request of the runtime, too, because it may have to queue behind
 * a receive from any source (network.c). Each start begins a nonblocking receive of the MPI
 * library, or adds the request to the list of network.h. */
#include "p2p/persistent.h"

#include "p2p/attached_buffer.h"
#include "p2p/fast_path.h"
#include "p2p/network.h"
#include "p2p/queues.h"
#include "p2p/receiver.h"
#include "p2p/sender.h"
#include "p2p/simple_receive.h"
#include "progress/doorbell.h"

struct mpispec_request *mpispec_persistent_send(const struct mpispec_call *call) {
  struct mpispec_request *request = mpispec_request_begin(MPISPEC_SEND, call, 1);
  const struct mpispec_route *route = &call->communicator->route;
  if (call->mode == mpispec_standard && call->contiguous &&
      (uint64_t)call->bytes <= mpispec_cell_payload)
    request->start = (struct mpispec_start){.writer = route->writers[call->peer],
                                            .key = route->key | (unsigned)call->tag,
                                            .header = route->header};
  return request;
}

struct mpispec_request *mpispec_persistent_receive(const struct mpispec_call *call) {
  const int is_local = mpispec_call_is_local(call);
  struct mpispec_request *request =
      mpispec_request_begin(is_local ? MPISPEC_RECEIVE : MPISPEC_FOREIGN, call, 1);
  const struct mpispec_receive pattern = mpispec_receive_pattern(call->communicator, call->tag);
  request->receive.key = pattern.key;
  request->receive.wild = pattern.wild;
  if (is_local && call->peer >= 0 && call->bytes <= MPISPEC_BLOCK_BYTES)
    request->start.reader = call->communicator->route.readers[call->peer];
  return request;
}

struct mpispec_request *mpispec_persistent_nothing(struct mpispec_communicator *communicator,
                                                   enum mpispec_request_kind kind) {
  const struct mpispec_call call = {
      .datatype = MPI_BYTE, .peer = MPI_PROC_NULL, .communicator = communicator, .contiguous = 1};
  return mpispec_request_begin(kind, &call, 1);
}

/* Each of the next two functions starts one request in few steps, or returns 0. The caller of
 * `post` must count the receive in mpispec_state.posted. */
static inline __attribute__((always_inline)) int post(struct mpispec_request *request) {
  struct mpispec_reader *const reader = request->start.reader;
  if (!reader || reader->unexpected ||
      mpispec_matching_has_rival(&mpispec_queues, request->receive.key, request->receive.wild))
    return 0;
  request->active = 1;
  request->lane = reader;
  mpispec_matching_link(reader, &request->receive);
  return 1;
}

static inline __attribute__((always_inline)) int put(struct mpispec_request *request) {
  const struct mpispec_start *start = &request->start;
  if (!start->writer || !mpispec_send_fast(start->writer, start->key, start->header,
                                           (struct mpispec_memory){request->call.buffer,
                                                                   request->call.bytes, NULL, 0}))
    return 0;
  mpispec_doorbell_note(mpispec_peer_of(&request->call));
  request->complete = MPISPEC_COMPLETE_AT_START;
  request->active = 1;
  return 1;
}

/* Returns the request of `handle` if it is inactive and in mpispec_state.receive_at, or null.
 * Requests that are not persistent have an empty `start`. */
static inline __attribute__((always_inline)) struct mpispec_request *at_rest(MPI_Request handle) {
  struct mpispec_receive *known = mpispec_receive_find((mpispec_handle)handle);
  struct mpispec_request *request = known ? mpispec_request_of(known) : NULL;
  return request && !request->active ? request : NULL;
}

int mpispec_persistent_start_row(int count, const MPI_Request requests[]) {
  struct mpispec_request *request;
  int started = 0;
  while (started < count && (request = at_rest(requests[started])) && put(request))
    ++started;
  if (!started) {
    while (started < count && (request = at_rest(requests[started])) && post(request))
      ++started;
    mpispec_state.posted += (unsigned long)started;
  }
  mpispec_state.made += (unsigned long)started;
  return started;
}

static int start_in_library(struct mpispec_request *request) {
  const struct mpispec_call *call = &request->call;
  if (mpispec_network_overlaps_listed(call->communicator, call->peer, call->tag)) {
    mpispec_network_list(request);
    return MPI_SUCCESS;
  }
  const int error = PMPI_Irecv_c(call->buffer, call->count, call->datatype, call->peer, call->tag,
                                 call->communicator->handle, &request->foreign[0]);
  request->active = request->in_library = !error;
  return error;
}

static int start_nothing(struct mpispec_request *request) {
  request->active = 1;
  request->complete = request->kind == MPISPEC_SEND ? MPISPEC_COMPLETE_AT_START : MPISPEC_COMPLETE;
  if (request->kind == MPISPEC_RECEIVE)
    request->result = (struct mpispec_result){.source = MPI_PROC_NULL, .tag = MPI_ANY_TAG};
  return MPI_SUCCESS;
}

/* Starts a request that neither `put` nor `post` can start. */
static int start_slowly(struct mpispec_request *request) {
  request->active = 1;
  request->call.blocking = 0;
  if (request->kind == MPISPEC_FOREIGN)
    return start_in_library(request);
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

int mpispec_persistent_start(struct mpispec_request *request) {
  ++mpispec_state.made;
  if (request->call.peer == MPI_PROC_NULL)
    return start_nothing(request);
  if (put(request) || (request->start.writer &&
                       mpispec_send_makes_room(mpispec_peer_of(&request->call), 1) && put(request)))
    return MPI_SUCCESS;
  if (post(request)) {
    ++mpispec_state.posted;
    return MPI_SUCCESS;
  }
  return start_slowly(request);
}
