/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writes a message, or the words that say where its bytes are, into the cells of a lane. With the
 * lock held. */
#ifndef MPISPEC_RUNTIME_SEND_CELLS_H
#define MPISPEC_RUNTIME_SEND_CELLS_H

#include "p2p/request.h"
#include "shm/cell.h"

enum { MPISPEC_INLINE_BYTES = mpispec_short_bytes };

/* Makes room for a message of so many cells in the lane to a rank of this node, which need not have
 * been used before. Returns 0 if there is none. */
int mpispec_send_makes_room(int peer, int cells);

/* Stores call->bytes bytes, packed. */
void mpispec_send_pack(const struct mpispec_call *call, void *bytes);

/* Sends a message of at most MPISPEC_INLINE_BYTES in cells. Waits for room. */
void mpispec_send_inline(const struct mpispec_call *call, int peer);

/* The same for a synchronous send, whose match the receiver confirms in the RTS descriptor. */
void mpispec_send_inline_synchronous(const struct mpispec_call *call, int peer, uint64_t rts);

/* Sends one cell with the place of the bytes of a BLOCK, of an RTS, or of a message of the MPI
 * library. Waits for room. */
void mpispec_send_words(const struct mpispec_call *call, int peer, enum mpispec_kind kind,
                        const uint64_t words[2]);

#endif
