/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Samples of the cost of a way. See way_sample.h.
 *
 * The cost is the time of the message, from the receiver's choice to the last byte. Both ranks must
 * have waited for it, and no other long message may have come meanwhile.
 *
 * In exchanges that are back to back, this time would tell too little: the receiver copies a part
 * of its own message before and after it, or the pipe was filled before. There, the cost is the
 * time that the receiver spends with copies of both messages, and idle between them. Other messages
 * may come meanwhile, because both cores have to copy all the time. In other exchanges the ranks
 * compute in between, and seldom begin at the same time. */
#include "p2p/way_sample.h"

#include "p2p/rts.h"
#include "p2p/traffic.h"
#include "progress/ticks.h"

struct mpispec_situation mpispec_situation_of(const struct mpispec_request *request) {
  return (struct mpispec_situation){request->peer, request->transfer.wanted,
                                    request->transfer.both_ways,
                                    mpispec_traffic[request->peer].back_to_back};
}

/* The ticks for as many bytes as `wanted`. */
static uint64_t scaled(uint64_t ticks, uint64_t bytes, int64_t wanted) {
  return (uint64_t)((double)ticks * (double)wanted / (double)bytes);
}

/* Returns the ticks of a message, or 0 if it is no sample. Messages to the peer may have another
 * length. By the shared way the peer copies them, and may copy a part of this one. */
static uint64_t time_of_exchange(const struct mpispec_transfer *transfer,
                                 const struct mpispec_traffic *traffic) {
  const int is_shared = transfer->way == MPISPEC_WAY_SHARED;
  if (!traffic->received || (!is_shared && !traffic->sent))
    return 0;
  return scaled(traffic->receiving, traffic->received, transfer->wanted) +
         (is_shared ? 0 : scaled(traffic->sending, traffic->sent, transfer->wanted));
}

static uint64_t time_of_message(const struct mpispec_request *request) {
  const struct mpispec_rts *rts = mpispec_receive_rts(request);
  const int is_alone = !mpispec_pulls.first; /* this one is not in the list any more */
  return !request->transfer.is_accompanied && is_alone &&
                 atomic_load_explicit(&rts->attended, memory_order_relaxed)
             ? mpispec_ticks() - request->transfer.began_at
             : 0;
}

enum mpispec_way mpispec_way_learn(const struct mpispec_request *request, int may_choose) {
  const struct mpispec_transfer *transfer = &request->transfer;
  struct mpispec_traffic *traffic = &mpispec_traffic[request->peer];
  struct mpispec_situation situation = mpispec_situation_of(request);
  const int is_mixed = transfer->mixed || (transfer->way == MPISPEC_WAY_SHARED && transfer->slots);
  const uint64_t ticks = situation.both_ways && situation.back_to_back
                             ? time_of_exchange(transfer, traffic)
                             : time_of_message(request);
  if (ticks && !is_mixed && may_choose)
    mpispec_way_record(&situation, (enum mpispec_way)transfer->way, ticks);
  traffic->receiving = traffic->received = traffic->sending = traffic->sent = 0;
  situation.back_to_back = traffic->back_to_back = traffic->began_soon;
  return may_choose ? mpispec_way_plan(&situation) : MPISPEC_WAY_PIPE;
}
