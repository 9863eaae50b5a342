/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writes a message, or the words that locate its bytes, into the cells of a lane. All functions are
 * called with the lock held. */
#ifndef MPISPEC_RUNTIME_SEND_CELLS_H
#define MPISPEC_RUNTIME_SEND_CELLS_H

#include "p2p/request.h"
#include "shm/cell.h"

enum { MPISPEC_INLINE_BYTES = mpispec_short_bytes };

/* Makes room for a message of `cells` cells in the lane to a rank of this node. The lane need not
 * have been used before. Returns 0 if there is no room. */
int mpispec_send_makes_room(int peer, int cells);

/* Packs the elements of the call into `bytes`. */
void mpispec_send_pack(const struct mpispec_call *call, void *bytes);

/* Sends a message of at most MPISPEC_INLINE_BYTES in cells. Waits for room. */
void mpispec_send_inline(const struct mpispec_call *call, int peer);

/* Like mpispec_send_inline, for a synchronous send. The receiver writes FIN to the RTS descriptor
 * `rts`. */
void mpispec_send_inline_synchronous(const struct mpispec_call *call, int peer, uint64_t rts);

/* Sends one cell with the words that locate the bytes: in a block, by an RTS descriptor, or in a
 * message of the MPI library. Waits for room. */
void mpispec_send_words(const struct mpispec_call *call, int peer, enum mpispec_kind kind,
                        const uint64_t words[3]);

#endif
