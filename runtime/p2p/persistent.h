/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Persistent sends and receives of the runtime: made once, started often. Each ends like any other
 * request (completion.h). With the lock held. */
#ifndef MPISPEC_RUNTIME_PERSISTENT_H
#define MPISPEC_RUNTIME_PERSISTENT_H

#include "p2p/request.h"

/* A request for a call whose arguments are valid, at rest. The MPI library carries out a receive
 * from another node. */
struct mpispec_request *mpispec_persistent_send(const struct mpispec_call *call);
struct mpispec_request *mpispec_persistent_receive(const struct mpispec_call *call);

/* Starts requests of an array from the front on, while they are at rest and start in few steps.
 * Those requests are sends of one cell, or receives that are posted without a poll of their lane.
 * Returns how many. */
int mpispec_persistent_start_row(int count, const MPI_Request requests[]);

/* Starts one that is at rest. Returns an error class. */
int mpispec_persistent_start(struct mpispec_request *request);

#endif
