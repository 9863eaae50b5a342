/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Requests whose peer's process has ended: they end with MPI_ERR_PROC_ABORTED. With the lock held,
 * in waits whose vigil is due (shm/liveness.h). Receives from any source go on. */
#ifndef MPISPEC_RUNTIME_ENDED_PEERS_H
#define MPISPEC_RUNTIME_ENDED_PEERS_H

#include "p2p/request.h"

/* Ends `request` if it waits for a rank that has ended. A message that this rank sent before its
 * end is received all the same. */
void mpispec_request_doubt(struct mpispec_request *request);

/* The same for all requests of ours in an array. */
void mpispec_requests_doubt(int count, const MPI_Request requests[]);

/* Waits until no long message is under way, also of those whose requests the program has freed.
 * Until then a peer may have to read this rank's memory, or to write into it. */
void mpispec_transfers_await(void);

#endif
