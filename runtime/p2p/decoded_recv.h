/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Receives whose arguments are decoded: they are valid, and communicator and datatype have been
 * looked up. MPI_Recv and MPI_Irecv of runtime/interposition call these functions, and templates
 * call them through the state (mpispec/contract.h). */
#ifndef MPISPEC_RUNTIME_DECODED_RECV_H
#define MPISPEC_RUNTIME_DECODED_RECV_H

#include "p2p/fast_path.h"
#include "p2p/peek.h"
#include "p2p/receiver.h"
#include "p2p/request.h"

/* Posts the receive of a call. `tried` is the result of an earlier mpispec_receive_try. Returns
 * null if the MPI library must execute the receive. In this case its source is on another node, and
 * no receive in the list of network.h can match the same messages. Called with the lock held. */
struct mpispec_request *mpispec_post_recv(const struct mpispec_call *call,
                                          enum mpispec_tried tried);

/* Waits for the message and receives it. Returns 0 if the MPI library must execute the receive.
 * Otherwise stores the error class in `*error`. `*raised` is nonzero if the error handler has
 * already been called. Called with the lock held. */
int mpispec_recv_wait(const struct mpispec_call *call, MPI_Status *status, int *error, int *raised);

/* Like mpispec_peek, but polls for a while if the lanes are empty. Also gives the credit that is
 * due in the lane `*found`. */
int mpispec_peek_poll(int peer, struct mpispec_wanted wanted, struct mpispec_reader **found);

/* Receives the message with this key if it is the next one of the lane or becomes the next one
 * within some polls. Returns its length in bytes, or a negative number if nothing was received. The
 * polls and the copy are in one function, because each instruction between them delays the
 * program's next send. */
int64_t mpispec_recv_await(struct mpispec_reader *reader, uint64_t key, struct mpispec_memory to);

/* Receives of contiguous bytes without wildcards. They return 0 if the receive is complete or
 * posted. Otherwise they return 1 and have changed nothing, except perhaps bytes of the buffer.
 * Called in a process that uses no lock. An exchange (decoded_exchange.h) also calls `polled` with
 * the lock held. Templates call the first and the last one.
 *   immediate   receives a message that has come; returns 1 if it has a rival (matching.h);
 *               `status` may be null
 *   polled      like immediate, and also receives a message that comes within some polls
 *   post        posts a receive of any length */
int mpispec_recv_immediate(void *buffer, long long room, const struct mpispec_route *route,
                           int peer, int tag, struct mpispec_status *status);
int mpispec_recv_polled(void *buffer, long long room, const struct mpispec_route *route, int peer,
                        int tag, struct mpispec_status *status);
int mpispec_recv_post(void *buffer, long long room, const struct mpispec_route *route, int peer,
                      int tag, mpispec_handle *request);

#endif
