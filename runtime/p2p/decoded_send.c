/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sends whose arguments are decoded. See decoded_send.h. */
#include "p2p/decoded_send.h"

#include "job/node.h"
#include "mpispec/machine.h"
#include "p2p/attached_buffer.h"
#include "p2p/block.h"
#include "p2p/completion.h"
#include "p2p/fast_path.h"
#include "p2p/request_wait.h"
#include "p2p/sender.h"
#include "progress/lock.h"
#include "progress/progress.h"
#include "shm/liveness.h"

int mpispec_send_call(struct mpispec_call *call, MPI_Request *request) {
  if (call->mode == mpispec_buffered && !mpispec_buffer_has_room(call->bytes))
    return -1;
  call->blocking = !request;
  struct mpispec_request *pending = mpispec_send_start(call, mpispec_peer_of(call));
  if (request) {
    mpispec_send_set_request(request, pending);
  } else if (pending) {
    mpispec_request_wait(pending);
    return mpispec_request_finish(pending, MPI_STATUS_IGNORE);
  }
  return MPI_SUCCESS;
}

/* Returns what mpispec_send_call returns, or -1 if no lane leads to the peer. */
static __attribute__((noinline)) int send_slowly(const void *buffer, int64_t bytes,
                                                 const struct mpispec_route *route, int peer,
                                                 int tag, MPI_Request *request,
                                                 enum mpispec_send_mode mode) {
  struct mpispec_call call;
  mpispec_lock();
  int error = -1;
  if (mpispec_call_on_route(&call, buffer, bytes, route, peer, tag, mode))
    error = mpispec_send_call(&call, request);
  mpispec_unlock();
  return error;
}

int mpispec_send_await_match(int peer, MPI_Comm communicator) {
  if (!mpispec_node.size || !mpispec_state.send_issued)
    return -1;
  const struct mpispec_communicator *known = mpispec_communicator_find(communicator);
  struct mpispec_vigil vigil = {0};
  mpispec_state.send_issued = 0;
  for (unsigned round = 0; !mpispec_has_fin(mpispec_state.fin, 0); ++round) {
    mpispec_progress();
    mpispec_wait_backoff(round);
    if (mpispec_vigil_is_due_in(&vigil, round) && mpispec_peer_has_ended(known->peer_of[peer]) &&
        !mpispec_has_fin(mpispec_state.fin, 0)) /* it may have matched the message before */
      return mpispec_raise(communicator, MPI_ERR_PROC_ABORTED);
  }
  return MPI_SUCCESS;
}

/* Sends in a block that is filled before the cell is published. Returns 0 if no cell or no block is
 * free. Also returns 0 for a send to this rank itself: mpispec_send_start copies its bytes to a
 * posted receive without a block. */
static inline __attribute__((always_inline)) int
put_block(const void *buffer, int64_t bytes, const struct mpispec_route *route, int peer, int tag) {
  struct mpispec_writer *writer = route->writers[peer];
  if (mpispec_is_self(route, peer) || writer->next >= writer->limit)
    return 0;
  struct mpispec_block_ref place = mpispec_block_at_hand(bytes);
  if (!place.offset)
    place = mpispec_block_new(bytes);
  if (!place.offset) {
    mpispec_block_cache_unget(bytes);
    return 0;
  }
  mpispec_block_put(buffer, bytes, place, writer, route->key | (unsigned)tag, route->header);
  return 1;
}

/* Nonzero if the message takes several cells, and they are free. */
static inline __attribute__((always_inline)) int takes_cells(const struct mpispec_writer *writer,
                                                             int64_t bytes) {
  return bytes > mpispec_cell_payload && bytes <= MPISPEC_INLINE_BYTES &&
         writer->limit - writer->next >= mpispec_cells((uint64_t)bytes);
}

/* Returns 0. */
static inline __attribute__((always_inline)) int
put_cells(const void *buffer, int64_t bytes, const struct mpispec_route *route, int peer, int tag) {
  return mpispec_cell_copy.put(route->writers[peer], route->key | (unsigned)tag,
                               route->header | (uint64_t)bytes, buffer, (uint64_t)bytes);
}

/* Sends a message in cells, or in a block if it has at most `most` bytes. The buffer is free when
 * the function returns. Returns 0 if neither is possible. */
static inline __attribute__((always_inline)) int put_whole(const void *buffer, int64_t bytes,
                                                           const struct mpispec_route *route,
                                                           int peer, int tag, int64_t most) {
  struct mpispec_writer *writer = route->writers[peer];
  if (bytes <= mpispec_cell_payload)
    return mpispec_send_fast(writer, route->key | (unsigned)tag, route->header,
                             (struct mpispec_memory){(void *)(uintptr_t)buffer, bytes, NULL, 0});
  if (takes_cells(writer, bytes))
    return !put_cells(buffer, bytes, route, peer, tag);
  return bytes > MPISPEC_INLINE_BYTES && bytes <= most &&
         put_block(buffer, bytes, route, peer, tag);
}

/* The functions for messages in cells must save few registers. Therefore code that saves more is in
 * other functions, which they call last. */
static __attribute__((noinline)) int at_once_other(const void *buffer, long long bytes,
                                                   const struct mpispec_route *route, int peer,
                                                   int tag) {
  return !put_whole(buffer, bytes, route, peer, tag, MPISPEC_WHOLE_BYTES);
}

int mpispec_send_at_once(const void *buffer, long long bytes, const struct mpispec_route *route,
                         int peer, int tag) {
  if (!takes_cells(route->writers[peer], bytes))
    MPISPEC_JUMP at_once_other(buffer, bytes, route, peer, tag);
  return put_cells(buffer, bytes, route, peer, tag);
}

static __attribute__((noinline)) int begin_other(const void *buffer, long long bytes,
                                                 const struct mpispec_route *route, int peer,
                                                 int tag, mpispec_handle *request) {
  if (!put_whole(buffer, bytes, route, peer, tag, MPISPEC_WHOLE_BYTES))
    return send_slowly(buffer, bytes, route, peer, tag, (MPI_Request *)request, mpispec_standard);
  mpispec_send_set_request((MPI_Request *)request, NULL);
  return 0;
}

static __attribute__((noinline)) int begin(const void *buffer, long long bytes,
                                           const struct mpispec_route *route, int peer, int tag,
                                           mpispec_handle *request) {
  if (!takes_cells(route->writers[peer], bytes))
    MPISPEC_JUMP begin_other(buffer, bytes, route, peer, tag, request);
  mpispec_send_set_request((MPI_Request *)request, NULL);
  return put_cells(buffer, bytes, route, peer, tag);
}

/* A blocking send of more than MPISPEC_LEAST_STEP bytes fills its block in steps (block.c). Returns
 * the result of mpispec_send_standard, which is an error class if the peer has ended. */
static __attribute__((noinline)) int send_other(const void *buffer, long long bytes,
                                                const struct mpispec_route *route, int peer,
                                                int tag) {
  return put_whole(buffer, bytes, route, peer, tag, MPISPEC_LEAST_STEP)
             ? 0
             : send_slowly(buffer, bytes, route, peer, tag, NULL, mpispec_standard);
}

static __attribute__((noinline)) int send_other_or_raise(const void *buffer, long long bytes,
                                                         const struct mpispec_route *route,
                                                         int peer, int tag) {
  const int error = send_other(buffer, bytes, route, peer, tag);
  return __builtin_expect(error > 0, 0) ? mpispec_raise((MPI_Comm)route->comm, error) : error;
}

int mpispec_send_standard(const void *buffer, long long bytes, const struct mpispec_route *route,
                          int peer, int tag, mpispec_handle *request) {
  if (request)
    MPISPEC_JUMP begin(buffer, bytes, route, peer, tag, request);
  return takes_cells(route->writers[peer], bytes) ? put_cells(buffer, bytes, route, peer, tag)
                                                  : send_other(buffer, bytes, route, peer, tag);
}

int mpispec_send_or_raise(const void *buffer, long long bytes, const struct mpispec_route *route,
                          int peer, int tag, mpispec_handle *request) {
  if (request)
    MPISPEC_JUMP begin(buffer, bytes, route, peer, tag, request);
  return takes_cells(route->writers[peer], bytes)
             ? put_cells(buffer, bytes, route, peer, tag)
             : send_other_or_raise(buffer, bytes, route, peer, tag);
}

int mpispec_send_buffered(const void *buffer, long long bytes, const struct mpispec_route *route,
                          int peer, int tag, mpispec_handle *request) {
  return send_slowly(buffer, bytes, route, peer, tag, (MPI_Request *)request, mpispec_buffered);
}

int mpispec_send_synchronous(const void *buffer, long long bytes, const struct mpispec_route *route,
                             int peer, int tag, mpispec_handle *request) {
  return send_slowly(buffer, bytes, route, peer, tag, (MPI_Request *)request, mpispec_synchronous);
}
