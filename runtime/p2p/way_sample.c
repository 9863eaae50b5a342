/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Samples of the cost of a way. See way_sample.h. A message is a sample only if the receiver waited
 * for it, and if no other long message came meanwhile, or with the one before.
 *
 * The cost is the time of the message, from the receiver's choice to the last byte. The sender must
 * have waited for it, too.
 *
 * In exchanges that are back to back, this time would tell too little: the receiver copies a part
 * of its own message before and after it, or the pipe was filled before. There, the cost is the
 * time that the receiver spends with copies of both messages, and idle between them. In other
 * exchanges the ranks compute in between, and seldom begin at the same time. */
#include "p2p/way_sample.h"

#include "p2p/rts.h"
#include "p2p/traffic.h"
#include "progress/ticks.h"

struct mpispec_situation mpispec_situation_of(const struct mpispec_request *request) {
  const struct mpispec_traffic *traffic = &mpispec_traffic[request->peer];
  return (struct mpispec_situation){request->peer, request->transfer.wanted,
                                    request->transfer.both_ways,
                                    traffic->back_to_back || traffic->had_company};
}

/* Returns the ticks of a message, or 0 if it is no sample. */
static uint64_t time_of_message(const struct mpispec_request *request) {
  const struct mpispec_rts *rts = mpispec_receive_rts(request);
  const uint64_t now = mpispec_ticks();
  const int attended = (int)atomic_load_explicit(&rts->attended, memory_order_relaxed);
  return attended ? now - request->transfer.began_at : 0;
}

/* The peer may have copied a part of the message. By the shared way, it also copies the message
 * that this rank sends, unless that one has to be packed. */
static uint64_t time_of_exchange(const struct mpispec_request *request,
                                 const struct mpispec_traffic *traffic) {
  const double parts = (double)request->transfer.wanted / (double)traffic->received;
  return (uint64_t)((double)traffic->receiving * parts) + traffic->sending;
}

static uint64_t time_of(const struct mpispec_request *request,
                        const struct mpispec_situation *situation) {
  const struct mpispec_traffic *traffic = &mpispec_traffic[request->peer];
  return situation->both_ways && situation->back_to_back && traffic->received
             ? time_of_exchange(request, traffic)
             : time_of_message(request);
}

enum mpispec_way mpispec_way_learn(const struct mpispec_request *request, int may_choose) {
  const struct mpispec_transfer *transfer = &request->transfer;
  struct mpispec_traffic *traffic = &mpispec_traffic[request->peer];
  const struct mpispec_situation situation = mpispec_situation_of(request);
  const int had_company = transfer->in_company || traffic->had_company,
            is_mixed = transfer->mixed || (transfer->way == MPISPEC_WAY_SHARED && transfer->slots);
  if (!had_company && !is_mixed && may_choose) {
    const uint64_t ticks = time_of(request, &situation);
    if (ticks)
      mpispec_way_record(&situation, (enum mpispec_way)transfer->way, ticks);
  }
  traffic->receiving = traffic->received = traffic->sending = 0;
  traffic->back_to_back = traffic->began_soon;
  traffic->had_company = transfer->in_company;
  const struct mpispec_situation next = mpispec_situation_of(request);
  return may_choose ? mpispec_way_plan(&next) : MPISPEC_WAY_PIPE;
}
