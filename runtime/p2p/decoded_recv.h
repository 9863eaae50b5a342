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

/* Polls an empty lane for a while, and gives the credit that is due. Returns 0 if the lane is still
 * empty, or its gate is closed. The copy of the message stands in the caller: after a poll, each
 * instruction delays the next send. */
int mpispec_recv_poll(struct mpispec_reader *reader);

/* mpispec_recv_longer for a message whose first cell has just come. */
int64_t mpispec_recv_polled(struct mpispec_reader *reader, void *buffer, int64_t room);

/* For templates, with contiguous bytes and without wildcards. They return 0 when the call is over,
 * else 1, having changed nothing. No lock is held.
 *   now     receives a message that has come, while no receive from any source waits; `status` may
 *           be null
 *   later   posts a receive of any length */
int mpispec_recv_immediate(void *buffer, long long room, const struct mpispec_route *route,
                           int peer, int tag, struct mpispec_status *status);
int mpispec_recv_post(void *buffer, long long room, const struct mpispec_route *route, int peer,
                      int tag, mpispec_handle *request);

#endif
