/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See traffic.h. */
#include "p2p/traffic.h"

#include "job/memory.h"
#include "job/node.h"
#include "progress/progress.h"
#include "progress/ticks.h"
#include "progress/tuning.h"

#include <stdlib.h>

size_t mpispec_rendezvous_under_way;
uint64_t mpispec_rendezvous_moved;
struct mpispec_rendezvous_counts mpispec_rendezvous_counts;
struct mpispec_request_list mpispec_pushes, mpispec_pulls;
struct mpispec_traffic *mpispec_traffic;

void mpispec_traffic_open(void) {
  mpispec_traffic =
      mpispec_check_allocation(calloc((size_t)mpispec_node.size, sizeof *mpispec_traffic));
}

void mpispec_traffic_close(void) {
  free(mpispec_traffic);
  mpispec_traffic = NULL;
}

void mpispec_traffic_begin(int peer, int64_t bytes) {
  struct mpispec_traffic *traffic = &mpispec_traffic[peer];
  if (!traffic->ended_at)
    return;
  const uint64_t now = mpispec_ticks();
  traffic->began_soon =
      now - traffic->ended_at < mpispec_ticks_in((uint64_t)bytes * MPISPEC_TOUCH_COST / 1000);
  traffic->ended_at = traffic->awaited_since = 0;
}

void mpispec_traffic_begin_receive(int peer, int64_t bytes) {
  struct mpispec_traffic *traffic = &mpispec_traffic[peer];
  mpispec_traffic_begin(peer, bytes);
  traffic->exchanges = traffic->sends != 0;
  traffic->sends_since_receive = 0;
}

uint64_t mpispec_traffic_copied(const struct mpispec_traffic *traffic, uint64_t began,
                                uint64_t *time) {
  static uint64_t last; /* of all peers */
  const uint64_t now = mpispec_ticks();
  *time += now - (traffic->awaited_since && last > traffic->awaited_since ? last : began);
  last = now;
  return now;
}

void mpispec_traffic_end(int peer) { mpispec_traffic[peer].ended_at = mpispec_ticks(); }

void mpispec_request_list_add(struct mpispec_request_list *list, struct mpispec_request *request) {
  request->previous = list->last;
  request->next = NULL;
  *(list->last ? &list->last->next : &list->first) = request;
  list->last = request;
  ++mpispec_rendezvous_under_way;
  mpispec_progress_begins();
}

void mpispec_request_list_remove(struct mpispec_request_list *list,
                                 struct mpispec_request *request) {
  *(request->previous ? &request->previous->next : &list->first) = request->next;
  *(request->next ? &request->next->previous : &list->last) = request->previous;
  --mpispec_rendezvous_under_way;
}
