/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The list of receives that messages from other nodes may satisfy. All functions are called with
 * the lock held. */
#ifndef MPISPEC_RUNTIME_NETWORK_H
#define MPISPEC_RUNTIME_NETWORK_H

#include "p2p/request.h"

/* Adds a receive to the list: a receive from any source, or a receive from another node that must
 * not overtake a listed one. */
void mpispec_network_list(struct mpispec_request *request);
void mpispec_network_remove(struct mpispec_request *request);
/* Nonzero if a receive or a probe from any source is to look at the network before the lanes. They
 * take turns: else messages of this node could keep those of other nodes waiting for ever. */
int mpispec_network_is_first(const struct mpispec_call *call);
int mpispec_network_overlaps_listed(const struct mpispec_communicator *communicator, int source,
                                    int tag);
void mpispec_network_progress(void);

/* Takes from the MPI library a message of another node that no listed receive matches. Sets
 * `*found` to 0 if there is none. */
void mpispec_network_probe(const struct mpispec_communicator *communicator, int source, int tag,
                           int *found, MPI_Message *message, MPI_Status *status);
/* The number of listed receives. */
extern size_t mpispec_network_under_way;

#endif
