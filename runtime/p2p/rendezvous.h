/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rendezvous: the sender of a long message sends its address (RTS, ready to send). Both ranks copy
 * its pieces, and the receiver writes FIN when all of them are there. With the lock held. */
#ifndef MPISPEC_RUNTIME_RENDEZVOUS_H
#define MPISPEC_RUNTIME_RENDEZVOUS_H

#include "p2p/request.h"
#include "p2p/traffic.h"

/* At Init and Finalize. */
void mpispec_rendezvous_open(void);
void mpispec_rendezvous_close(void);

/* Sender: makes the RTS descriptor of `request`, and lists the request until FIN. `is_long`: it is
 * for an RTS, and not for FIN alone. Returns the RTS descriptor's offset, or 0 when the arena is
 * full. */
uint64_t mpispec_rendezvous_rts(struct mpispec_request *request, int is_long);

/* From now on the program waits for this operation until it is over. */
void mpispec_rendezvous_attend(struct mpispec_request *request);

/* Receiver: begins to receive `wanted` bytes of the RTS with `rts`. They are at `address` of
 * `peer`, or not contiguous if that is 0. They go to the request's cursor if it has a typemap, else
 * to its staging or buffer. Copies nothing, unless the message is this rank's own: the calls that
 * make progress later do. Returns 0 if the sender has withdrawn it. */
int mpispec_rendezvous_pull(struct mpispec_request *request, int64_t wanted, int peer, uint64_t rts,
                            uint64_t address);

/* Sender: withdraws a message that no receive has begun to take. Returns 0 if one has: the request
 * goes on. Otherwise the request is complete. Its RTS descriptor stays allocated without an owner,
 * because the receiver may still read it. */
int mpispec_rendezvous_withdraw(struct mpispec_request *request);

/* Either side: ends the request, whose peer's process has ended. Its result is set. A send that the
 * program has freed is gone afterwards. */
void mpispec_rendezvous_abandon(struct mpispec_request *request);

/* Makes progress once with each message under way: first with those that this rank receives. */
void mpispec_rendezvous_progress(void);

#endif
