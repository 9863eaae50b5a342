/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sends: chooses how the bytes of a message get to the receive it is matched with.
 *
 *   up to 256 B    inline       in the cells of the lane
 *   up to 64 KiB   block        in a block of an arena; the receiver copies out, frees or keeps it
 *   (block.h says when more)
 *   beyond         rendezvous   RTS; the receiver pulls from the sender's buffer, FIN
 *
 * To oneself: straight into the buffer of the receive, if one is posted (receiver.h); else as
 * above. A long message of a sender that does not wait is copied by its receive alone.
 *
 * A standard send is over when its bytes are in the lane or the arena; the receive needs nothing of
 * the sender then. Synchronous sends end with the receiver's FIN in their RTS descriptor. Small
 * ones travel inline, with the place of the RTS descriptor in the first cell; others go by
 * rendezvous. A buffered send of that length goes by rendezvous from a private copy. When the arena
 * is full, blocks give way to rendezvous.
 *
 * All functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_SENDER_H
#define MPISPEC_RUNTIME_SENDER_H

#include "p2p/request.h"
#include "p2p/send_cells.h"

/* Starts a send to a rank of this node. Returns the request that is to complete, or null if the
 * send is over already. */
struct mpispec_request *mpispec_send_start(const struct mpispec_call *call, int peer);

/* The same for a request that exists: a persistent one. It may be complete on return. */
void mpispec_send_restart(struct mpispec_request *request, int peer);

#endif
