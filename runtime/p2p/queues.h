/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* This rank's queues of posted receives and unexpected messages, and how long templates may receive
 * past them. */
#ifndef MPISPEC_RUNTIME_QUEUES_H
#define MPISPEC_RUNTIME_QUEUES_H

#include "p2p/matching.h"
#include "p2p/request.h"

extern struct mpispec_matching mpispec_queues __attribute__((visibility("hidden")));

/* For the ranks of this node. Returns nonzero if there was memory. */
int mpispec_queues_open(int peers);
void mpispec_queues_close(void);

/* Lets templates use the lanes, to so many ranks of MPI_COMM_WORLD; 0 for not at all. */
void mpispec_templates_admit(unsigned world_size);

/* While the program's only thread is away in the MPI library, and the lock is
 * lent, they may not. */
void mpispec_templates_pause(int is_away);

/* Takes a receive that is no simple one off the list where it waits, if it does. */
void mpispec_receive_withdraw(struct mpispec_request *request);

#endif
