/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Requests whose peer's process has ended: they end with MPI_ERR_PROC_ABORTED. With the lock held,
 * in waits whose vigil is due (shm/liveness.h). A receive from any source ends so only if all other
 * members of its communicator have ended. */
#ifndef MPISPEC_RUNTIME_ENDED_PEERS_H
#define MPISPEC_RUNTIME_ENDED_PEERS_H

#include "p2p/request.h"

/* Ends `request` if it waits for a rank that has ended. A message that this rank sent before its
 * end is received all the same. */
void mpispec_request_doubt(struct mpispec_request *request);

/* The same for all pending requests, once in each MPISPEC_PEER_DOUBT: for programs that test in a
 * loop instead of waiting. */
void mpispec_pending_requests_doubt(void);

/* The same for all requests of ours in an array. */
void mpispec_requests_doubt(int count, const MPI_Request requests[]);

/* Whether all other members of the communicator have ended, so that no message can come. Returns 0
 * if members are on other nodes, or if another thread may send to this rank. */
int mpispec_others_have_ended(const struct mpispec_communicator *communicator);

/* Waits until no long message is under way, also of those whose requests the program has freed.
 * Until then a peer may have to read this rank's memory, or to write into it. */
void mpispec_transfers_await(void);

#endif
