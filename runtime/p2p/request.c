/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pool of requests. Requests are in chunks that never move. Therefore a request can be a member
 * of lists. Free requests are in a list, and the one that was freed last is used first. Free ones
 * that are not in the first chunk are in a second list, and are used only if the first list is
 * empty: templates and fast paths find only the requests of the first chunk. request.h describes
 * handles. */
#include "p2p/request.h"

#include "comm/communicator.h"
#include "datatype/datatype.h"
#include "job/memory.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = MPISPEC_REQUEST_CHUNK, MAXIMUM_CHUNKS = 1 << 14 };

static_assert(CHUNK * MAXIMUM_CHUNKS <= 1 << 24, "an index fits beside the mark");

struct mpispec_request *mpispec_request_chunks[MAXIMUM_CHUNKS];
int mpispec_request_count;
int mpispec_messages_held;

static struct mpispec_receive *free_beyond; /* the second list */

static struct mpispec_receive **list_of(const struct mpispec_request *request) {
  const int place = request->receive.mark - (int)mpispec_request_first;
  return place < CHUNK ? &mpispec_state.receives : &free_beyond;
}

/* Frees a request. A template that takes a free request for a simple receive changes only its first
 * cache line. Therefore all other members must have the values of a simple receive. */
static void put_back(struct mpispec_request *request) {
  request->kind = MPISPEC_SIMPLE;
  request->complete = request->active = 1;
  request->persistent = request->released = request->raised = 0;
  request->result.error = MPI_SUCCESS;
  request->start.writer = NULL;
  request->start.reader = NULL;
  request->call.communicator = NULL;
  request->call.map = NULL;
  request->receive.reader = NULL;
  request->receive.order = 0;
  request->receive.wild = 0;
  request->receive.use = mpispec_receive_free;
  struct mpispec_receive **list = list_of(request);
  request->receive.next = *list;
  *list = &request->receive;
}

/* Shows templates the receives of the first handles. */
static void show_known(struct mpispec_request *chunk) {
  static struct mpispec_receive *known[mpispec_state_receives];
  static_assert((int)mpispec_state_receives == CHUNK, "they are the first chunk");
  for (int i = 0; i < CHUNK; ++i)
    known[i] = &chunk[i].receive;
  mpispec_state.receive_at = known;
}

static int grow(void) {
  const int chunks = mpispec_request_count / CHUNK;
  if (chunks == MAXIMUM_CHUNKS - 1)
    return 0;
  struct mpispec_request *chunk =
      aligned_alloc(_Alignof(struct mpispec_request), CHUNK * sizeof *chunk);
  if (!chunk)
    return 0;
  memset(chunk, 0, CHUNK * sizeof *chunk);
  for (int i = CHUNK - 1; i >= 0; --i) {
    chunk[i].receive.mark = (int)mpispec_request_first + mpispec_request_count + i;
    put_back(&chunk[i]);
  }
  if (!chunks)
    show_known(chunk);
  mpispec_request_chunks[chunks] = chunk;
  mpispec_request_count += CHUNK;
  return 1;
}

/* The first list is empty. Templates may also take what is moved to it. */
static int refill(void) {
  if (!free_beyond && !grow())
    return 0;
  if (!mpispec_state.receives) {
    mpispec_state.receives = free_beyond;
    free_beyond = NULL;
  }
  return 1;
}

struct mpispec_request *mpispec_request_new(enum mpispec_request_kind kind) {
  if (!mpispec_state.receives && !refill())
    return NULL;
  struct mpispec_request *request = mpispec_request_of(mpispec_state.receives);
  mpispec_state.receives = request->receive.next;
  memset(&request->lane, 0, sizeof *request - offsetof(struct mpispec_request, lane));
  request->receive.use = mpispec_receive_under_way;
  request->receive.bytes = -1;
  request->kind = kind;
  ++mpispec_state.made;
  return request;
}

struct mpispec_request *mpispec_request_from_nobody(void) {
  struct mpispec_request *request = mpispec_request_new(MPISPEC_SIMPLE);
  if (!request)
    return NULL;
  request->complete = request->active = 1;
  request->receive.use = mpispec_receive_complete;
  request->receive.bytes = 0;
  request->receive.source = MPI_PROC_NULL;
  request->receive.tag = MPI_ANY_TAG;
  return request;
}

static void open_awaited(void) {
  struct mpispec_request *awaited = mpispec_check_allocation(mpispec_request_new(MPISPEC_AWAITED));
  awaited->active = 1;
  awaited->receive.use = mpispec_receive_free;
  mpispec_state.awaited = &awaited->receive;
}

void mpispec_requests_open(void) {
  if (!mpispec_request_count && !grow())
    mpispec_check_allocation(NULL);
  open_awaited();
}

void mpispec_request_delete(struct mpispec_request *request) {
  if (request->kind != MPISPEC_AWAITED) {
    put_back(request);
    return;
  }
  request->receive.use = mpispec_receive_free;
  request->released = request->complete = 0;
  request->result = (struct mpispec_result){0};
  request->call.communicator = NULL;
}

int mpispec_requests_hold(MPI_Datatype handle, int holders) {
  int count = 0;
  for (int i = 0; holders && i < mpispec_request_count; ++i) {
    const struct mpispec_request *request = &mpispec_request_chunks[i / CHUNK][i % CHUNK];
    if (request->kind == MPISPEC_SIMPLE || !request->holds)
      continue;
    count += request->call.datatype == handle;
    --holders;
  }
  return count;
}

int mpispec_call_on_route(struct mpispec_call *call, const void *buffer, int64_t bytes,
                          const struct mpispec_route *route, int peer, int tag,
                          enum mpispec_send_mode mode) {
  *call = (struct mpispec_call){
      .buffer = (void *)(uintptr_t)buffer,
      .count = bytes,
      .datatype = MPI_BYTE,
      .peer = peer,
      .tag = tag,
      .communicator = mpispec_communicator_find((MPI_Comm)route->comm),
      .mode = mode,
      .bytes = bytes,
      .contiguous = 1,
  };
  return call->communicator && mpispec_peer_of(call) >= 0;
}

struct mpispec_request *mpispec_request_begin(enum mpispec_request_kind kind,
                                              const struct mpispec_call *call, int persistent) {
  struct mpispec_request *request = mpispec_check_allocation(mpispec_request_new(kind));
  request->call = *call;
  request->persistent = persistent;
  request->active = !persistent;
  mpispec_communicator_use(call->communicator);
  mpispec_typemap_use(call->map);
  const int unpacks = kind == MPISPEC_RECEIVE && !call->contiguous;
  request->holds =
      persistent || unpacks || (kind != MPISPEC_SEND && call->communicator->spans_nodes);
  if (request->holds)
    mpispec_datatype_hold();
  return request;
}

void mpispec_request_end(struct mpispec_request *request) {
  const int holds = request->holds;
  const MPI_Datatype datatype = request->call.datatype;
  mpispec_communicator_drop(request->call.communicator);
  mpispec_typemap_drop(request->call.map);
  mpispec_request_delete(request);
  if (holds)
    mpispec_datatype_let_go(datatype);
}

void mpispec_status_set(MPI_Status *status, int source, int tag, int64_t length, int cancelled) {
  if (status == MPI_STATUS_IGNORE)
    return;
  mpispec_status_fill((struct mpispec_status *)status, source, tag, (unsigned)length);
  if (__builtin_expect(length > INT32_MAX, 0))
    PMPI_Status_set_elements_x(status, MPI_BYTE, length);
  if (__builtin_expect(cancelled, 0))
    PMPI_Status_set_cancelled(status, cancelled);
}
