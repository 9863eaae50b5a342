/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The receiving side of long messages: pulls pieces, and empties slots of the pipe (rts.h). All
 * functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_PULL_H
#define MPISPEC_RUNTIME_PULL_H

#include "p2p/request.h"

/* Begins to receive a long message. rendezvous.h describes the arguments at
 * mpispec_rendezvous_pull. */
int mpispec_pull_begin(struct mpispec_request *request, int64_t wanted, int peer, uint64_t rts,
                       uint64_t address);

/* Copies the pieces that are ready, of each long message that this rank receives. */
void mpispec_pulls_progress(void);

#endif
