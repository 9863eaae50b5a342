/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The receiving side of long messages: pulls pieces, and empties slots of the pipe (rts.h). With
 * the lock held. */
#ifndef MPISPEC_RUNTIME_PULL_H
#define MPISPEC_RUNTIME_PULL_H

#include "p2p/request.h"

/* Begins to receive. mpispec_rendezvous_pull (rendezvous.h) has the same arguments. */
int mpispec_pull_begin(struct mpispec_request *request, int64_t wanted, int peer, uint64_t rts,
                       uint64_t address);

/* Copies what is there of each message that is being received. */
void mpispec_pulls_progress(void);

#endif
