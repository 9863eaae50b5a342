/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Waits for operations that the program does not wait for: at the end of MPI, and of a
 * communicator. All functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_PENDING_H
#define MPISPEC_RUNTIME_PENDING_H

#include "comm/communicator.h"

/* Waits until no long message is under way, including messages whose requests the program has
 * freed. Until then a peer may have to read this rank's memory, or to write into it. */
void mpispec_transfers_await(void);

/* Called in MPI_Finalize. Waits for receives whose requests the program has freed, because senders
 * of this node may wait for them (MPI 4.0, 11.2.2). Ends when no rank of this node can send any
 * more, even if some of these receives have no message. */
void mpispec_freed_receives_await(void);

/* Called in MPI_Comm_disconnect. Waits for operations on the communicator whose requests the
 * program has freed (MPI 4.0, 11.10.4). The program can still wait for other operations itself. */
void mpispec_freed_operations_await(struct mpispec_communicator *communicator);

#endif
