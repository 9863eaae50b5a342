/* Rendezvous: the sender of a long message sends where it is (RTS, ready to send), the receiver
 * reads it there and says so (FIN). With the lock held. */
#ifndef MPISPEC_RUNTIME_RENDEZVOUS_H
#define MPISPEC_RUNTIME_RENDEZVOUS_H

#include "p2p/request.h"

/* Sender: makes the handshake of `request` for an RTS, and lists the request until FIN. Returns the
 * handshake's offset, or 0 when the arena is full. */
uint64_t mpispec_rendezvous_rts(struct mpispec_request *request);

/* From now on the program waits for this operation until it is over. */
void mpispec_rendezvous_attend(struct mpispec_request *request);

/* Receiver: pulls `wanted` bytes of the RTS with `handshake`, buffer at `address` of `peer`, to
 * the request's cursor if it has a typemap, else to its staging or buffer. The request completes
 * now, or through a pipe later. */
void mpispec_rendezvous_pull(struct mpispec_request *request, int64_t wanted, int peer,
                             uint64_t handshake, uint64_t address);

/* Receiver: FIN, the message was matched and all of it read. */
void mpispec_rendezvous_fin(int peer, uint64_t handshake);

/* Looks at all sends and pulls once. */
void mpispec_rendezvous_progress(void);

/* Sends and pulls that are under way; bytes that went through pipes, in either direction, since
 * MPI_Init. */
extern size_t mpispec_rendezvous_under_way;
extern uint64_t mpispec_rendezvous_moved;

/* Sends without FIN. While there are any, this process must not leave. */
int mpispec_rendezvous_sends(void);

#endif
