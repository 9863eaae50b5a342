/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sends whose arguments are decoded: they are valid, and the bytes are contiguous. interposition
 * and, through the state, templates call them (mpispec/contract.h). No lock is held. Each returns 0
 * when the call is over. Else it returns 1, having changed nothing: no lane leads to the peer, or
 * the MPI library would refuse a buffered send. If the peer has ended, it returns the error that it
 * has raised. `request` is null if the caller waits for the end. */
#ifndef MPISPEC_RUNTIME_DECODED_SEND_H
#define MPISPEC_RUNTIME_DECODED_SEND_H

#include "p2p/request.h"

int mpispec_send_standard(const void *buffer, long long bytes, const struct mpispec_route *route,
                          int peer, int tag, mpispec_handle *request);
/* The same only if the buffer is free again at once. */
int mpispec_send_at_once(const void *buffer, long long bytes, const struct mpispec_route *route,
                         int peer, int tag);
int mpispec_send_buffered(const void *buffer, long long bytes, const struct mpispec_route *route,
                          int peer, int tag, mpispec_handle *request);
int mpispec_send_synchronous(const void *buffer, long long bytes, const struct mpispec_route *route,
                             int peer, int tag, mpispec_handle *request);

/* A send in any mode, whose arguments are valid and which goes by a lane. `request` is null if the
 * caller waits for the end. Returns -1 if the MPI library would refuse a buffered send. Returns the
 * error class, which the caller raises, if the peer has ended. With the lock held. */
int mpispec_send_call(struct mpispec_call *call, MPI_Request *request);

/* In the ordinary Ssend: waits for the match of a send that a template has begun (mpispec/ssend.h).
 * Returns -1 if there is none, and the error that it has raised if the peer has ended. */
int mpispec_send_await_match(int peer, MPI_Comm communicator);

/* The request of a nonblocking send that has begun; `pending` is null if it is complete. */
static inline void mpispec_send_set_request(MPI_Request *request, struct mpispec_request *pending) {
  *request = pending ? mpispec_request_handle(pending) : mpispec_request_done;
  ++mpispec_state.made;
}

#endif
