/* Messages whose arguments are decoded: they are valid and without wildcards, the bytes lie side by
 * side. Templates call these through the state, where a message is long (mpispec/contract.h), the
 * runtime's own functions once they know as much. No lock is held. Each returns 0 when the call is
 * over, as the MPI functions whose last word it is; else 1, having changed nothing, but an exchange
 * that has only sent says so (mpispec_state.half_done). */
#ifndef MPISPEC_RUNTIME_INTERPOSITION_DECODED_H
#define MPISPEC_RUNTIME_INTERPOSITION_DECODED_H

#include "mpispec/contract.h"

/* A standard send; `request` is null if the caller waits for the end. */
int mpispec_send_standard(const void *buffer, long long bytes, const struct mpispec_route *route,
                          int peer, int tag, mpispec_handle *request);
/* The same only if the buffer is free again at once. */
int mpispec_send_at_once(const void *buffer, long long bytes, const struct mpispec_route *route,
                         int peer, int tag);
int mpispec_send_buffered(const void *buffer, long long bytes, const struct mpispec_route *route,
                          int peer, int tag, mpispec_handle *request);
int mpispec_send_synchronous(const void *buffer, long long bytes, const struct mpispec_route *route,
                             int peer, int tag, mpispec_handle *request);

int mpispec_exchange_now(const struct mpispec_exchange *exchange);

#endif
