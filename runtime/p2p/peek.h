/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Peeks at the heads of lanes (mpispec/heads.h), the first step of a probe or of a receive outside
 * the fast path. A peek changes no lane and no queue. If its result is mpispec_head_unsure, a
 * receive must search the queues, and a probe must also drain the lanes. Called with the lock held,
 * or in a process that uses no lock. */
#ifndef MPISPEC_RUNTIME_PEEK_H
#define MPISPEC_RUNTIME_PEEK_H

#include "abi/mpi.h"
#include "mpispec/heads.h"
#include "p2p/queues.h"

/* Peeks at all lanes if mpispec_state.heads is not open, for example because a receive from any
 * source waits, or because the node has more than 64 ranks. A search begins behind the peer whose
 * message the previous one has found. */
int mpispec_peek_at_many(struct mpispec_wanted wanted, struct mpispec_reader **found);

/* Searches for a wanted message at the head of the lane from `peer`. For MPISPEC_ANY_PEER, searches
 * all lanes that have ever carried a message. Returns the peer of the message, and stores the
 * reading end of its lane in `*found`. Otherwise returns mpispec_head_empty or mpispec_head_unsure.
 * For a named peer, `*found` is stored in each case. */
static inline __attribute__((always_inline)) int
mpispec_peek(int peer, struct mpispec_wanted wanted, struct mpispec_reader **found) {
  if (peer == MPISPEC_ANY_PEER)
    return mpispec_state.heads.open ? mpispec_heads_peek(wanted, mpispec_to_see, found)
                                    : mpispec_peek_at_many(wanted, found);
  *found = mpispec_queues.readers[peer];
  if (mpispec_matching_has_rival(&mpispec_queues, wanted.key, wanted.wild) || (*found)->unexpected)
    return mpispec_head_unsure;
  const int seen = mpispec_head_peek(*found, wanted, mpispec_to_see);
  return seen ? seen : peer;
}

/* Nonzero if all lanes are empty. */
int mpispec_peek_finds_nothing(void);

/* Fills in the status of a probe that has found the next message from `peer`. */
void mpispec_probe_fill_status(int peer, struct mpispec_wanted wanted, MPI_Status *status);

#endif
