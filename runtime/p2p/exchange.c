/* Exchanges whose arguments are decoded. See exchange.h. */
#include "p2p/exchange.h"

#include "job/node.h"
#include "mpispec/message.h"
#include "p2p/decoded_recv.h"
#include "p2p/decoded_send.h"
#include "p2p/queues.h"
#include "progress/tuning.h"

/* With this rank itself: from one buffer to the other, while nothing is queued before. */
static int exchange_with_self(const struct mpispec_exchange *x) {
  return x->destination == x->source && x->send_tag == x->recv_tag && x->bytes <= x->room &&
         x->bytes <= MPISPEC_BLOCK_BYTES && !mpispec_matching_awaits_any(&mpispec_queues) &&
         mpispec_hand_over(x->route, x->send_buffer, x->recv_buffer, (uint64_t)x->bytes, 1,
                           x->source, x->recv_tag, x->status);
}

/* Returns nonzero if the send has not begun. */
static inline __attribute__((always_inline)) int send(const struct mpispec_exchange *x,
                                                      MPI_Request *sending) {
  if (x->send_buffer != x->recv_buffer)
    return mpispec_send_standard(x->send_buffer, x->bytes, x->route, x->destination, x->send_tag,
                                 mpispec_request_words(sending));
  *sending = mpispec_request_done;
  return mpispec_send_at_once(x->send_buffer, x->bytes, x->route, x->destination, x->send_tag);
}

enum mpispec_exchanged mpispec_exchange_start(const struct mpispec_exchange *x,
                                              MPI_Request *sending) {
  if (mpispec_is_self(x->route, x->destination))
    return exchange_with_self(x) ? MPISPEC_EXCHANGED : MPISPEC_NOT_EXCHANGED;
  if (send(x, sending))
    return MPISPEC_NOT_EXCHANGED;
  if (*sending != mpispec_request_done ||
      mpispec_receive_now(x->recv_buffer, x->room, x->route, x->source, x->recv_tag, x->status))
    return MPISPEC_HALF_EXCHANGED;
  return MPISPEC_EXCHANGED;
}

/* The send of a template's exchange that is half over. */
static MPI_Request sent_by_template = mpispec_request_done;

int mpispec_exchange_now(const struct mpispec_exchange *x) {
  const enum mpispec_exchanged exchanged = mpispec_exchange_start(x, &sent_by_template);
  mpispec_state.half_done = exchanged == MPISPEC_HALF_EXCHANGED;
  return exchanged != MPISPEC_EXCHANGED;
}

/* docs/contributing/add-a-template.md draws the protocol. A short message that the template itself
 * has put needs no request. */
int mpispec_exchange_was_begun(MPI_Request *sending) {
  if (!mpispec_node.size || !mpispec_state.half_done)
    return 0;
  *sending = sent_by_template;
  sent_by_template = mpispec_request_done;
  mpispec_state.half_done = 0;
  return 1;
}
