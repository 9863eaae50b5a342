/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rendezvous: the sender of a long message announces it (RTS, ready to send), with the address of
 * its bytes. Both ranks copy its pieces, and the receiver writes FIN when all of them are copied.
 * All functions are called with the lock held. */
#ifndef MPISPEC_RUNTIME_RENDEZVOUS_H
#define MPISPEC_RUNTIME_RENDEZVOUS_H

#include "p2p/request.h"
#include "p2p/traffic.h"

/* Called in MPI_Init and MPI_Finalize. */
void mpispec_rendezvous_open(void);
void mpispec_rendezvous_close(void);

/* Sender: makes the RTS descriptor of `request`, and lists the request until the send is complete.
 * `is_long` is 0 for a synchronous send in cells or a block, which needs the descriptor only for
 * FIN. Returns the descriptor's offset, or 0 if the arena is full or the system refuses memory. */
uint64_t mpispec_rendezvous_rts(struct mpispec_request *request, int is_long);

/* Called when the program begins to wait for this operation. The peer can read from then on that
 * this rank waits. */
void mpispec_rendezvous_announce_wait(struct mpispec_request *request);

/* Receiver: begins to receive `wanted` bytes of the message with the RTS descriptor at offset
 * `rts`. The bytes are at `address` in the memory of `peer`. `address` is 0 if they are not
 * contiguous. They are stored by the request's cursor if the call has a typemap, else in its
 * staging memory or buffer. If this rank has sent the message to itself, copies it at once.
 * Later calls that make progress copy all other messages. Returns 0 if the sender has withdrawn the
 * message. */
int mpispec_rendezvous_pull(struct mpispec_request *request, int64_t wanted, int peer, uint64_t rts,
                            uint64_t address);

/* Sender: withdraws a message that no receive has matched. Returns 0 if one has matched it, and
 * leaves the request under way. Otherwise the request is complete. Its RTS descriptor stays
 * allocated without an owner, because the receiver may still read it. */
int mpispec_rendezvous_withdraw(struct mpispec_request *request);

/* Either side: ends a request whose peer's process has ended. The caller has set its result. The
 * request is deleted if it is a send that the program has freed. */
void mpispec_rendezvous_abandon(struct mpispec_request *request);

/* Makes progress with each message under way: with first slots of exchanges, then with the messages
 * that this rank receives, then with those that it sends. */
void mpispec_rendezvous_progress(void);

#endif
