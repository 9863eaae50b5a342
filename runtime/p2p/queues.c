/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See queues.h. A template may take a message out of its lane only if no receive that was posted
 * before matches the message. Therefore all lanes are closed to templates while a receive from any
 * source waits. */
#include "p2p/queues.h"

#include "job/node.h"
#include "mpispec/state.h"
#include "shm/shm.h"

struct mpispec_matching mpispec_queues;

enum { MOST_HEADS = 64 }; /* bits of a word */

static void open_or_shut(void) {
  const int is_open = mpispec_queues.peers && !mpispec_matching_awaits_any(&mpispec_queues);
  struct mpispec_heads *heads = &mpispec_state.heads;
  mpispec_state.receive_size = is_open ? mpispec_state.fast_size : 0;
  heads->open = is_open && !mpispec_queues.unexpected_count && mpispec_queues.peers <= MOST_HEADS;
  heads->world = heads->open && mpispec_state.receive_size && mpispec_state.world.is_local;
}

static struct mpispec_reader *reader_of(int peer) { return &mpispec_shm.incoming[peer].end; }

int mpispec_queues_open(int peers) {
  if (!mpispec_matching_open(&mpispec_queues, peers, reader_of, open_or_shut))
    return 0;
  const _Atomic uint64_t *active_peers = mpispec_shm_header(mpispec_node.rank)->active_peers;
  mpispec_state.heads = (struct mpispec_heads){
      .active_peers = (const unsigned long long *)active_peers,
      .lanes = mpispec_queues.readers,
      .world_ranks = mpispec_node.world_ranks,
  };
  open_or_shut();
  return 1;
}

void mpispec_queues_close(void) {
  mpispec_state.heads = (struct mpispec_heads){0};
  mpispec_matching_close(&mpispec_queues);
}

void mpispec_templates_admit(unsigned world_size) {
  mpispec_state.fast_size = world_size;
  open_or_shut();
}

void mpispec_templates_pause(int is_away) {
  static unsigned admitted;
  if (is_away)
    admitted = mpispec_state.fast_size;
  mpispec_templates_admit(is_away ? 0 : admitted);
}

void mpispec_receive_withdraw(struct mpispec_request *request) {
  if (request->lane)
    mpispec_matching_withdraw(&mpispec_queues, request->lane, &request->receive);
  request->lane = NULL;
}
