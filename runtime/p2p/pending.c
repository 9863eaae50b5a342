/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See pending.h. */
#include "p2p/pending.h"

#include "job/node.h"
#include "p2p/completion.h"
#include "p2p/ended_peers.h"
#include "p2p/rendezvous.h"
#include "p2p/request.h"
#include "progress/doorbell.h"
#include "progress/progress.h"
#include "shm/liveness.h"
#include "shm/shm.h"

#include <stdatomic.h>

static void check_peers_of_transfers(void) {
  for (int i = 0; i < mpispec_request_count; ++i) {
    struct mpispec_request *request = mpispec_request_number(i);
    if (request->kind != MPISPEC_SIMPLE && request->transfer.rts)
      mpispec_request_check_peer(request);
  }
}

void mpispec_transfers_await(void) {
  struct mpispec_vigil vigil = {0};
  for (unsigned round = 0; mpispec_rendezvous_under_way; ++round) {
    mpispec_progress();
    mpispec_wait_backoff_or_sleep(round, NULL);
    if (mpispec_vigil_is_due_in(&vigil, round))
      check_peers_of_transfers();
  }
}

/* --- the end of MPI ----------------------------------------------------------------------------*/

/* A rank that calls this function does not send any more. Its messages were written before
 * `is_finalizing`. */
static void announce_end(void) {
  atomic_store_explicit(&mpispec_shm_header(mpispec_node.rank)->is_finalizing, 1,
                        memory_order_release);
  for (int peer = 0; peer < mpispec_node.size; ++peer)
    mpispec_doorbell_note(peer);
}

static int can_send(int peer, int may_have_ended) {
  return !atomic_load_explicit(&mpispec_shm_header(peer)->is_finalizing, memory_order_acquire) &&
         !(may_have_ended && mpispec_peer_has_ended(peer));
}

static int nobody_can_send(int may_have_ended) {
  for (int peer = 0; peer < mpispec_node.size; ++peer)
    if (can_send(peer, may_have_ended))
      return 0;
  return 1;
}

void mpispec_freed_receives_await(void) {
  struct mpispec_vigil vigil = {0};
  announce_end();
  for (unsigned round = 0; mpispec_requests_released; ++round) {
    const int is_last = nobody_can_send(mpispec_vigil_is_due_in(&vigil, round));
    mpispec_progress(); /* delivers all messages that were written before */
    if (is_last)
      return;
    mpispec_wait_backoff_or_sleep(round, NULL);
  }
}

/* --- the end of a communicator -----------------------------------------------------------------*/

static int has_operation(const struct mpispec_request *request) {
  return request->active && request->released &&
         (request->kind == MPISPEC_RECEIVE || request->kind == MPISPEC_SEND ||
          request->kind == MPISPEC_PAIR);
}

/* Nonzero if an operation is pending whose request the program has freed. If `checks_peers` is
 * nonzero, first ends the operations whose peers have ended. */
static int has_freed(const struct mpispec_communicator *communicator, int checks_peers) {
  int found = 0;
  for (int i = 0; i < mpispec_request_count; ++i) {
    struct mpispec_request *request = mpispec_request_number(i);
    if (!has_operation(request) || request->call.communicator != communicator)
      continue;
    if (checks_peers)
      mpispec_request_check_peer(request);
    found |= !mpispec_request_is_over(request);
  }
  return found;
}

void mpispec_freed_operations_await(struct mpispec_communicator *communicator) {
  struct mpispec_vigil vigil = {0};
  for (unsigned round = 0; has_freed(communicator, mpispec_vigil_is_due_in(&vigil, round));
       ++round) {
    mpispec_progress();
    mpispec_wait_backoff(round); /* the library may execute some of them */
  }
  mpispec_requests_reap(); /* unpacks what has come */
}
