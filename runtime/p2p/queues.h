/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* This rank's queues of posted receives and unexpected messages. Their contents determine whether
 * templates may receive without the runtime. */
#ifndef MPISPEC_RUNTIME_QUEUES_H
#define MPISPEC_RUNTIME_QUEUES_H

#include "p2p/matching.h"
#include "p2p/request.h"

extern struct mpispec_matching mpispec_queues __attribute__((visibility("hidden")));

/* Opens queues for `peers` ranks of this node. Returns 0 if there is no memory. */
int mpispec_queues_open(int peers);
void mpispec_queues_close(void);

/* Lets templates use the lanes to the first `world_size` ranks of MPI_COMM_WORLD. 0: templates use
 * no lane. */
void mpispec_templates_admit(unsigned world_size);

/* Called when the program's only thread enters the MPI library (`is_away` is 1), and when it
 * returns. Meanwhile the helper thread (progress/helper.h) may hold the lock, and templates use no
 * lane. */
void mpispec_templates_pause(int is_away);

/* Takes a receive that is not simple off its list. Does nothing if it is not posted. */
void mpispec_receive_withdraw(struct mpispec_request *request);

#endif
