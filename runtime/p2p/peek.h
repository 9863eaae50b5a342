/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A peek at the heads of lanes (mpispec/heads.h): the first step of a probe or of a receive with
 * wildcards. It changes nothing. If its result is unsure, the queues of unexpected messages have to
 * be searched. With the lock held, or without a lock. */
#ifndef MPISPEC_RUNTIME_PEEK_H
#define MPISPEC_RUNTIME_PEEK_H

#include "abi/mpi.h"
#include "mpispec/heads.h"
#include "p2p/queues.h"

/* A peek at the lanes of more peers than mpispec_state.heads has. Each call begins with other 64
 * peers. */
int mpispec_peek_at_many(struct mpispec_wanted wanted, struct mpispec_reader **found);

/* Looks for a message that is wanted at the head of the lane of `peer`; or, for MPISPEC_ANY_PEER,
 * of any that has ever carried one. Returns its peer, with the lane's reading end in `*found`; or
 * mpispec_head_empty or _unsure. */
static inline __attribute__((always_inline)) int
mpispec_peek(int peer, struct mpispec_wanted wanted, struct mpispec_reader **found) {
  if (peer == MPISPEC_ANY_PEER)
    return mpispec_state.heads.open ? mpispec_heads_peek(wanted, mpispec_to_see, found)
                                    : mpispec_peek_at_many(wanted, found);
  *found = mpispec_queues.readers[peer];
  if (mpispec_matching_awaits_any(&mpispec_queues) || (*found)->unexpected)
    return mpispec_head_unsure;
  const int seen = mpispec_head_peek(*found, wanted, mpispec_to_see);
  return seen ? seen : peer;
}

/* Nonzero if all lanes are empty. */
int mpispec_peek_finds_nothing(void);

/* Fills in the status of a probe that has found this message. */
void mpispec_probe_fill_status(int peer, struct mpispec_wanted wanted, MPI_Status *status);

#endif
