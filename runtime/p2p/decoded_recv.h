/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Receives whose arguments are decoded and valid: what interposition calls for MPI_Recv and
 * MPI_Irecv, and templates through the state (mpispec/contract.h). */
#ifndef MPISPEC_RUNTIME_DECODED_RECV_H
#define MPISPEC_RUNTIME_DECODED_RECV_H

#include "p2p/fast_path.h"
#include "p2p/peek.h"
#include "p2p/receiver.h"
#include "p2p/request.h"

/* Posts the receive of a call, of which `tried` is known. Returns null if the MPI library must
 * carry it out: its source is on another node, and no receive from any source comes before. With
 * the lock held. */
struct mpispec_request *mpispec_post_recv(const struct mpispec_call *call,
                                          enum mpispec_tried tried);

/* Receives, and waits for the message. Returns 0 if the MPI library must carry it out. Else
 * `*error` is the error class, and `*raised` is nonzero if its handler has been called. With the
 * lock held. */
int mpispec_recv_wait(const struct mpispec_call *call, MPI_Status *status, int *error, int *raised);

/* mpispec_peek, which polls empty lanes for a while, and gives the credit that is due at the lane
 * that it finds. */
int mpispec_peek_poll(int peer, struct mpispec_wanted wanted, struct mpispec_reader **found);

/* Receives the message `key`, which is the next one of a lane or comes within some polls. Returns
 * its length, or a negative number if nothing was received. The polls and the copy stand in one
 * function, because each instruction between them delays the program's next send. */
int64_t mpispec_recv_await(struct mpispec_reader *reader, uint64_t key, struct mpispec_memory to);

/* Receives of contiguous bytes without wildcards. They return 0 if the receive is complete, or
 * posted; else 1, having changed nothing. No lock is held. Templates call the first and the last.
 *   immediate   a message that has come, while no receive from any source waits; `status` may be
 *               null
 *   polled      also a message that comes within some polls
 *   post        posts a receive of any length */
int mpispec_recv_immediate(void *buffer, long long room, const struct mpispec_route *route,
                           int peer, int tag, struct mpispec_status *status);
int mpispec_recv_polled(void *buffer, long long room, const struct mpispec_route *route, int peer,
                        int tag, struct mpispec_status *status);
int mpispec_recv_post(void *buffer, long long room, const struct mpispec_route *route, int peer,
                      int tag, mpispec_handle *request);

#endif
