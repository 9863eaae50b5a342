/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Exchanges: the send and the receive of one MPI_Sendrecv. The arguments are decoded: they are
 * valid, and the data are contiguous bytes. MPI_Sendrecv calls these functions, and templates call
 * them through the state (mpispec/contract.h). All functions except mpispec_exchange_was_begun are
 * called with the lock held, or in a process that uses no lock. */
#ifndef MPISPEC_RUNTIME_DECODED_EXCHANGE_H
#define MPISPEC_RUNTIME_DECODED_EXCHANGE_H

#include "abi/mpi.h"
#include "mpispec/message.h"
#include "p2p/decoded_recv.h"
#include "p2p/decoded_send.h"
#include "p2p/queues.h"
#include "progress/lock.h"
#include "progress/tuning.h"

enum mpispec_exchanged {
  MPISPEC_NOT_EXCHANGED,  /* nothing has changed */
  MPISPEC_HALF_EXCHANGED, /* the send has begun, and the caller must still receive */
  MPISPEC_EXCHANGED
};

/* Exchanges a message of this rank with itself: copies it from one buffer to the other if no
 * message or receive is queued before it. */
static inline int mpispec_exchange_with_self(const struct mpispec_exchange *x) {
  return x->destination == x->source && x->send_tag == x->recv_tag && x->bytes <= x->room &&
         x->bytes <= MPISPEC_BLOCK_BYTES &&
         !mpispec_matching_has_rival(&mpispec_queues, x->route->key | (unsigned)x->recv_tag, 0) &&
         mpispec_copy_to_self(x->route, x->send_buffer, x->recv_buffer, (uint64_t)x->bytes, 1,
                              x->source, x->recv_tag, x->status);
}

/* Begins the send. `*sending` becomes its request, or mpispec_request_done if it is complete. If
 * both buffers are the same, the send begins only if it can complete at once, because the receive
 * overwrites the buffer. The same holds if threads share the lock. A send that waits for room would
 * hold the lock twice, and could not release it to the thread whose call makes the room. Returns
 * nonzero if nothing was sent. */
static inline int mpispec_exchange_send(const struct mpispec_exchange *x, MPI_Request *sending) {
  *sending = mpispec_request_done;
  return x->send_buffer == x->recv_buffer || mpispec_lock_is_shared()
             ? mpispec_send_at_once(x->send_buffer, x->bytes, x->route, x->destination, x->send_tag)
             : mpispec_send_standard(x->send_buffer, x->bytes, x->route, x->destination,
                                     x->send_tag, mpispec_request_words(sending));
}

/* Sends, and receives the message if it comes within some polls. */
static inline __attribute__((always_inline)) enum mpispec_exchanged
mpispec_exchange_start(const struct mpispec_exchange *x, MPI_Request *sending) {
  if (mpispec_is_self(x->route, x->destination))
    return mpispec_exchange_with_self(x) ? MPISPEC_EXCHANGED : MPISPEC_NOT_EXCHANGED;
  if (mpispec_exchange_send(x, sending))
    return MPISPEC_NOT_EXCHANGED;
  if (*sending != mpispec_request_done ||
      mpispec_recv_polled(x->recv_buffer, x->room, x->route, x->source, x->recv_tag, x->status))
    return MPISPEC_HALF_EXCHANGED;
  return MPISPEC_EXCHANGED;
}

/* Like mpispec_exchange_start, for templates. Returns 0 if the exchange is complete, else 1. If it
 * returns 1 after the send has begun, it sets mpispec_state.send_issued. Then the ordinary call
 * only receives. */
int mpispec_exchange_now(const struct mpispec_exchange *exchange);

/* Called by the ordinary MPI_Sendrecv. Returns nonzero if a template has already begun its send.
 * `*sending` becomes the request of this send. */
int mpispec_exchange_was_begun(MPI_Request *sending);

#endif
