/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Persistent sends and receives of the runtime: made once, started often. Each ends like any other
 * request (completion.h). All functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_PERSISTENT_H
#define MPISPEC_RUNTIME_PERSISTENT_H

#include "p2p/request.h"

/* Return an inactive request for a call whose arguments are valid. The MPI library executes
 * receives from other nodes. */
struct mpispec_request *mpispec_persistent_send(const struct mpispec_call *call);
struct mpispec_request *mpispec_persistent_receive(const struct mpispec_call *call);

/* The same for a send to MPI_PROC_NULL or a receive from it. `kind`: MPISPEC_SEND or
 * MPISPEC_RECEIVE. */
struct mpispec_request *mpispec_persistent_nothing(struct mpispec_communicator *communicator,
                                                   enum mpispec_request_kind kind);

/* Starts inactive requests at the front of an array. Either all of them are sends of one cell, or
 * all are receives that are posted without a poll of their lane. Stops at the first request that
 * cannot be started in this way. Returns the number of started requests. */
int mpispec_persistent_start_row(int count, const MPI_Request requests[]);

/* Starts one inactive request. Returns an error class. */
int mpispec_persistent_start(struct mpispec_request *request);

#endif
