/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The sending side of long messages: fills slots of the pipe, and pushes pieces (rts.h). All
 * functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_PUSH_H
#define MPISPEC_RUNTIME_PUSH_H

#include "p2p/request.h"
#include "p2p/rts.h"
#include "p2p/traffic.h"
#include "progress/ticks.h"
#include "progress/tuning.h"

/* Nonzero if the sender expects that the message goes by the pipe. Either the plan is the pipe
 * (way.h), or the receiver cannot pull the message. */
int mpispec_goes_by_pipe(const struct mpispec_request *request);

/* Nonzero if the sender no longer waits for the receiver. A receiver that still reads the message
 * before this one is not late: once the sender had left, it would always be ahead. */
static inline int mpispec_push_leaves(const struct mpispec_request *request) {
  const uint64_t wait = (uint64_t)request->call.bytes / MPISPEC_ARRIVAL_BYTES;
  if (!request->transfer.leaves_at)
    return 0;
  const uint64_t now = mpispec_ticks();
  return now >= request->transfer.leaves_at &&
         now - mpispec_traffic[request->peer].read_at >= mpispec_ticks_in(wait);
}

/* Fills slots before a receive has matched the message, within the limits for each peer and for all
 * peers. */
void mpispec_pieces_fill_early(struct mpispec_request *request, struct mpispec_rts *rts);

/* Called when a receive has matched the message. The slots that were filled before no longer count
 * towards these limits. */
void mpispec_pieces_end_early(struct mpispec_rts *rts, int peer);

/* Fills slots or pushes a piece, after a receive has matched the message. */
void mpispec_pieces_help(struct mpispec_request *request, struct mpispec_rts *rts);

/* Called in MPI_Finalize. */
void mpispec_pushes_close(void);

#endif
