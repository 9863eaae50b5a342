/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Exchanges: a send and a receive of one call, whose arguments are decoded and valid. MPI_Sendrecv
 * and, through the state, templates call them (mpispec/contract.h). No lock is held. */
#ifndef MPISPEC_RUNTIME_DECODED_EXCHANGE_H
#define MPISPEC_RUNTIME_DECODED_EXCHANGE_H

#include "abi/mpi.h"
#include "mpispec/message.h"
#include "p2p/decoded_recv.h"
#include "p2p/decoded_send.h"
#include "p2p/queues.h"
#include "progress/tuning.h"

enum mpispec_exchanged {
  MPISPEC_NOT_EXCHANGED,  /* nothing has changed */
  MPISPEC_HALF_EXCHANGED, /* the send has begun, and the receive is left */
  MPISPEC_EXCHANGED
};

/* With this rank itself: from one buffer to the other, while nothing is queued before. */
static inline int mpispec_exchange_with_self(const struct mpispec_exchange *x) {
  return x->destination == x->source && x->send_tag == x->recv_tag && x->bytes <= x->room &&
         x->bytes <= MPISPEC_BLOCK_BYTES && !mpispec_matching_awaits_any(&mpispec_queues) &&
         mpispec_copy_to_self(x->route, x->send_buffer, x->recv_buffer, (uint64_t)x->bytes, 1,
                              x->source, x->recv_tag, x->status);
}

/* Begins the send; `*sending` is its request unless it is complete. Where both buffers are one, the
 * send begins only if that buffer is free again at once. Returns nonzero if nothing was sent. */
static inline int mpispec_exchange_send(const struct mpispec_exchange *x, MPI_Request *sending) {
  *sending = mpispec_request_done;
  return x->send_buffer == x->recv_buffer
             ? mpispec_send_at_once(x->send_buffer, x->bytes, x->route, x->destination, x->send_tag)
             : mpispec_send_standard(x->send_buffer, x->bytes, x->route, x->destination,
                                     x->send_tag, mpispec_request_words(sending));
}

/* Sends, and receives a message that comes within some polls. */
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

/* The same for templates. Returns 0 when the call is over. Else 1, with mpispec_state.send_issued
 * set if the send has begun: the ordinary call then only receives. */
int mpispec_exchange_now(const struct mpispec_exchange *exchange);

/* In the ordinary call: returns nonzero if a template has begun its send, whose request becomes
 * `*sending`. */
int mpispec_exchange_was_begun(MPI_Request *sending);

#endif
