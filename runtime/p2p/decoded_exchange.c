/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Exchanges whose arguments are decoded. See decoded_exchange.h. */
#include "p2p/decoded_exchange.h"

#include "job/node.h"

/* The request of the send that a template has begun, while its exchange has still to receive. */
static MPI_Request sent_by_template = mpispec_request_done;

int mpispec_exchange_now(const struct mpispec_exchange *x) {
  const enum mpispec_exchanged exchanged = mpispec_exchange_start(x, &sent_by_template);
  mpispec_state.send_issued = exchanged == MPISPEC_HALF_EXCHANGED;
  return exchanged != MPISPEC_EXCHANGED;
}

/* docs/contributing/add-a-template.md draws the protocol. If the template itself has sent a short
 * message, sent_by_template is mpispec_request_done. */
int mpispec_exchange_was_begun(MPI_Request *sending) {
  if (!mpispec_node.size || !mpispec_state.send_issued)
    return 0;
  *sending = sent_by_template;
  sent_by_template = mpispec_request_done;
  mpispec_state.send_issued = 0;
  return 1;
}
