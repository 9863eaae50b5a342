/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See ended_peers.h. */
#include "p2p/ended_peers.h"

#include "comm/communicator.h"
#include "job/node.h"
#include "p2p/completion.h"
#include "p2p/network.h"
#include "p2p/queues.h"
#include "p2p/rendezvous.h"
#include "progress/lock.h"
#include "progress/progress.h"
#include "shm/liveness.h"
#include "shm/shm.h"

enum { NOBODY = -1 };

static int peer_at(const struct mpispec_reader *reader) {
  return (int)((const struct mpispec_incoming *)reader - mpispec_shm.incoming);
}

/* The communicator of an Issend that a template has made, or null if none is under way. */
static struct mpispec_communicator *communicator_of(const struct mpispec_request *request) {
  return request->receive.use == mpispec_receive_under_way
             ? mpispec_communicator_find((MPI_Comm)(unsigned long)request->receive.key)
             : NULL;
}

static int receiver_of(const struct mpispec_request *request) {
  const struct mpispec_communicator *communicator = communicator_of(request);
  return communicator ? communicator->peer_of[request->receive.source] : NOBODY;
}

void mpispec_awaited_leaves(const struct mpispec_communicator *communicator) {
  struct mpispec_receive *awaited = mpispec_state.awaited;
  struct mpispec_request *request = mpispec_request_of(awaited);
  if (request->call.communicator == communicator) /* it has failed, but is not completed yet */
    request->call.communicator = mpispec_communicator_find(MPI_COMM_WORLD);
  if (communicator_of(request) != communicator)
    return;
  awaited->source = mpispec_node.world_ranks[communicator->peer_of[awaited->source]];
  awaited->key = (unsigned long)MPI_COMM_WORLD;
}

/* The only rank of this node that can end the request, or NOBODY. */
static int awaited_peer(const struct mpispec_request *request) {
  if (request->kind == MPISPEC_AWAITED)
    return receiver_of(request);
  if (request->kind == MPISPEC_SIMPLE)
    return request->receive.reader ? peer_at(request->receive.reader) : NOBODY;
  if (request->kind != MPISPEC_RECEIVE && request->kind != MPISPEC_SEND)
    return NOBODY;
  if (request->complete || !request->active)
    return NOBODY;
  if (request->transfer.rts)
    return request->peer;
  return request->lane && request->call.peer != MPI_ANY_SOURCE ? peer_at(request->lane) : NOBODY;
}

int mpispec_others_have_ended(const struct mpispec_communicator *communicator) {
  if (communicator->spans_nodes || communicator->size == 1 || mpispec_lock_is_shared())
    return 0;
  for (int member = 0; member < communicator->size; ++member)
    if (member != communicator->rank && !mpispec_peer_has_ended(communicator->peer_of[member]))
      return 0;
  return 1;
}

/* Whether the request waits for a message from any source that can no longer come. */
static int awaits_nobody(const struct mpispec_request *request) {
  return request->kind == MPISPEC_RECEIVE && !request->complete && request->active &&
         !request->transfer.rts && !request->in_library && request->call.peer == MPI_ANY_SOURCE &&
         mpispec_others_have_ended(request->call.communicator);
}

static void fail(struct mpispec_request *request) {
  mpispec_request_expand(request);
  request->result = (struct mpispec_result){
      .source = request->call.peer, .tag = request->call.tag, .error = MPI_ERR_PROC_ABORTED};
  if (request->kind == MPISPEC_AWAITED) {
    request->call.communicator = communicator_of(request);
    request->complete = 1;
    return;
  }
  if (request->transfer.rts) {
    mpispec_rendezvous_abandon(request);
    return;
  }
  mpispec_receive_withdraw(request);
  mpispec_network_remove(request);
  request->complete = 1;
}

void mpispec_request_check_peer(struct mpispec_request *request) {
  if (request->kind == MPISPEC_PAIR) {
    mpispec_requests_check_peers(2, request->foreign);
    return;
  }
  const int peer = awaited_peer(request);
  if (peer == NOBODY ? !awaits_nobody(request) : !mpispec_peer_has_ended(peer))
    return;
  mpispec_progress(); /* delivers all messages that the peer wrote before its end */
  if (!mpispec_request_is_over(request))
    fail(request);
}

void mpispec_requests_check_peers(int count, const MPI_Request requests[]) {
  for (int i = 0; i < count; ++i) {
    struct mpispec_request *request =
        requests[i] == MPI_REQUEST_NULL ? NULL : mpispec_request_find(requests[i]);
    if (request)
      mpispec_request_check_peer(request);
  }
}

void mpispec_pending_requests_check_peers(void) {
  static struct mpispec_vigil vigil;
  if (!mpispec_vigil_is_due(&vigil))
    return;
  for (int i = 0; i < mpispec_request_count; ++i)
    mpispec_request_check_peer(mpispec_request_number(i)); /* a free request waits for no rank */
}
