/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Peeks at the heads of lanes. See peek.h. */
#include "p2p/peek.h"

#include "job/node.h"
#include "shm/shm.h"

#include <stdatomic.h>
#include <string.h>

int mpispec_peek_at_many(struct mpispec_wanted wanted, struct mpispec_reader **found) {
  const _Atomic uint64_t *active_peers = mpispec_shm_header(mpispec_node.rank)->active_peers;
  const int words = (mpispec_node.size + 63) / 64, begin = mpispec_queues.next_peer % (words * 64);
  const uint64_t from_begin = ~UINT64_C(0) << begin % 64;
  int shown = mpispec_head_empty;
  if (mpispec_matching_has_rival(&mpispec_queues, wanted.key, wanted.wild) ||
      mpispec_queues.unexpected_count)
    return mpispec_head_unsure;
  for (int n = 0; n <= words; ++n) {
    const int word = (begin / 64 + n) % words;
    uint64_t set = atomic_load_explicit(&active_peers[word], memory_order_relaxed);
    set &= n == 0 ? from_begin : n == words ? ~from_begin : ~UINT64_C(0);
    for (; set; set &= set - 1) {
      const int peer = word * 64 + __builtin_ctzll(set);
      const int seen = mpispec_head_peek(mpispec_queues.readers[peer], wanted, mpispec_to_see);
      if (!seen) {
        mpispec_queues.next_peer = peer + 1;
        *found = mpispec_queues.readers[peer];
        return peer;
      }
      shown = seen < shown ? seen : shown;
    }
  }
  return shown;
}

int mpispec_peek_finds_nothing(void) {
  const _Atomic uint64_t *active_peers = mpispec_shm_header(mpispec_node.rank)->active_peers;
  for (int word = 0; word <= (mpispec_node.size - 1) / 64; ++word) {
    uint64_t set = atomic_load_explicit(&active_peers[word], memory_order_relaxed);
    for (; set; set &= set - 1)
      if (!mpispec_lane_is_empty(mpispec_queues.readers[word * 64 + __builtin_ctzll(set)]))
        return 0;
  }
  return 1;
}

void mpispec_probe_fill_status(int peer, struct mpispec_wanted wanted, MPI_Status *status) {
  const struct mpispec_reader *reader = mpispec_queues.readers[peer];
  const struct mpispec_cell *cell = reader->next;
  uint64_t words[3];
  memcpy(words, cell->payload, sizeof words);
  mpispec_status_set(
      status, mpispec_head_source(wanted.key & ~(uint64_t)UINT32_MAX, cell->header, peer),
      mpispec_key_tag(cell->envelope), mpispec_message_length(cell->header, words), 0);
}
