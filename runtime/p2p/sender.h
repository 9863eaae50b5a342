/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sends: chooses how the bytes of a message get to its receive.
 *
 *   up to 256 B    inline       in the cells of the lane
 *   up to 64 KiB   block        in a block of an arena; the receiver copies, and frees or keeps it
 *   (in some cases more: block.c)
 *   beyond         rendezvous   RTS; both ranks copy pieces (rendezvous.c); FIN
 *   accelerator    by library   the MPI library carries the bytes (library_part.h)
 *
 * A message to the rank itself is copied straight into the buffer of a posted receive (receiver.h).
 * If no receive is posted, or the bytes have gaps, the message travels as above. The contiguous
 * bytes of a long message stay in the send buffer until the receive copies them.
 *
 * A standard send is complete when its bytes are in the lane, in blocks or in the receiver's
 * memory. A synchronous send is complete when the receiver has written FIN to its RTS descriptor.
 * If it travels inline or in a block, the first cell has the offset of the descriptor. A buffered
 * send that is too long for a block goes by rendezvous from a private copy. If no block is free,
 * messages for blocks go by rendezvous, too.
 *
 * All functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_SENDER_H
#define MPISPEC_RUNTIME_SENDER_H

#include "p2p/request.h"
#include "p2p/send_cells.h"

/* Starts a send to a rank of this node. Returns its request, or null if the caller has nothing to
 * wait for. */
struct mpispec_request *mpispec_send_start(const struct mpispec_call *call, int peer);

/* Like mpispec_send_start, for an existing persistent request. The request may be complete on
 * return. */
void mpispec_send_restart(struct mpispec_request *request, int peer);

#endif
