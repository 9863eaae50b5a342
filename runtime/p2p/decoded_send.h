/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sends whose arguments are decoded: they are valid, and the bytes are contiguous. The functions of
 * runtime/interposition call these functions, and templates call them through the state
 * (mpispec/contract.h). Unless its own comment differs, a function is called in a process that uses
 * no lock. It returns 0 if the send is complete or has begun. Otherwise the caller makes the
 * ordinary call. The reasons are that no lane leads to the peer, that the MPI library would refuse
 * a buffered send, or that the peer has ended. The ordinary call then raises the error. `request`
 * is null for a blocking send. An exchange (decoded_exchange.h) calls mpispec_send_standard and
 * mpispec_send_at_once also with the lock held. So do the fast paths of MPI_THREAD_MULTIPLE with
 * mpispec_send_at_once, which neither waits nor releases the lock. */
#ifndef MPISPEC_RUNTIME_DECODED_SEND_H
#define MPISPEC_RUNTIME_DECODED_SEND_H

#include "p2p/request.h"

int mpispec_send_standard(const void *buffer, long long bytes, const struct mpispec_route *route,
                          int peer, int tag, mpispec_handle *request);
/* Like mpispec_send_standard, for the ordinary call. If the peer has ended, calls the error handler
 * and returns the error class. */
int mpispec_send_or_raise(const void *buffer, long long bytes, const struct mpispec_route *route,
                          int peer, int tag, mpispec_handle *request);
/* Like mpispec_send_standard, but sends only if the buffer is free again when the function
 * returns. */
int mpispec_send_at_once(const void *buffer, long long bytes, const struct mpispec_route *route,
                         int peer, int tag);
int mpispec_send_buffered(const void *buffer, long long bytes, const struct mpispec_route *route,
                          int peer, int tag, mpispec_handle *request);
int mpispec_send_synchronous(const void *buffer, long long bytes, const struct mpispec_route *route,
                             int peer, int tag, mpispec_handle *request);

/* Sends in any mode, by a lane. The arguments are valid. `request` is null for a blocking send.
 * Returns MPI_SUCCESS, or -1 if the MPI library would refuse a buffered send. If a blocking send
 * fails, for example because the peer has ended, returns the error, and the caller calls the error
 * handler. Called with the lock held. */
int mpispec_send_call(struct mpispec_call *call, MPI_Request *request);

/* Called by the ordinary MPI_Ssend: waits until a send that a template has begun is matched
 * (mpispec/ssend.h). Returns MPI_SUCCESS, or -1 if no template has begun one. If the peer has
 * ended, calls the error handler and returns the error class. */
int mpispec_send_await_match(int peer, MPI_Comm communicator);

/* Stores the handle of a nonblocking send that has begun. `pending` is null if the send is
 * complete. */
static inline void mpispec_send_set_request(MPI_Request *request, struct mpispec_request *pending) {
  *request = pending ? mpispec_request_handle(pending) : mpispec_request_done;
  ++mpispec_state.made;
}

#endif
