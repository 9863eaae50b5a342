/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Receives that messages from other nodes may satisfy. With the lock held. */
#ifndef MPISPEC_RUNTIME_NETWORK_H
#define MPISPEC_RUNTIME_NETWORK_H

#include "p2p/request.h"

/* Lists a receive that a message from another node may satisfy: one from any source, or one that
 * would overtake such a one. */
void mpispec_network_list(struct mpispec_request *request);
void mpispec_network_remove(struct mpispec_request *request);
int mpispec_network_is_listed(const struct mpispec_communicator *communicator, int source, int tag);
void mpispec_network_progress(void);

/* Takes a message from another node out of the library, past all listed receives. */
void mpispec_network_probe(const struct mpispec_communicator *communicator, int source, int tag,
                           int *found, MPI_Message *message, MPI_Status *status);
/* Receives that are listed. */
extern size_t mpispec_network_under_way;

#endif
