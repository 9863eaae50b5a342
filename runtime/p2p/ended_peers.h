/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ends requests whose peer's process has ended, with MPI_ERR_PROC_ABORTED. A receive from any
 * source ends in this way only if all other members of its communicator have ended. A request that
 * the MPI library executes never ends in this way. Calls that wait use these functions with the
 * lock held, at intervals (mpispec_vigil_is_due of shm/liveness.h). */
#ifndef MPISPEC_RUNTIME_ENDED_PEERS_H
#define MPISPEC_RUNTIME_ENDED_PEERS_H

#include "p2p/request.h"

/* Ends `request` if it waits for a rank that has ended. A message that the peer sent before its end
 * is still received. */
void mpispec_request_check_peer(struct mpispec_request *request);

/* Called before a communicator is freed. An Issend that a template has made on it is from now on
 * one of MPI_COMM_WORLD to the same rank. */
void mpispec_awaited_leaves(const struct mpispec_communicator *communicator);

/* Like mpispec_request_check_peer, for all pending requests, at most once per
 * MPISPEC_PEER_CHECK_INTERVAL. For programs that test in a loop instead of waiting. */
void mpispec_pending_requests_check_peers(void);

/* Like mpispec_request_check_peer, for all requests of the runtime in an array. */
void mpispec_requests_check_peers(int count, const MPI_Request requests[]);

/* Nonzero if all other members of the communicator have ended, so that no message can come. Returns
 * 0 if there are no other members, or some are on other nodes. Also returns 0 if another thread of
 * this process may send to this rank. */
int mpispec_others_have_ended(const struct mpispec_communicator *communicator);

#endif
