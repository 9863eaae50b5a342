/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Posts receives, and drains lanes. Callers hold the lock. */
#ifndef MPISPEC_RUNTIME_RECEIVER_H
#define MPISPEC_RUNTIME_RECEIVER_H

#include "mpispec/machine.h"
#include "p2p/matching.h"
#include "p2p/queues.h"
#include "p2p/request.h"
#include "shm/shm.h"

/* The result of an attempt to receive before a request is made. Only MPISPEC_RECEIVED has changed
 * anything that the program can observe. After MPISPEC_EMPTY and MPISPEC_BEHIND,
 * mpispec_receive_start does not try the head of the lane again. */
enum mpispec_tried {
  MPISPEC_UNTRIED,  /* the lane was not polled */
  MPISPEC_EMPTY,    /* no message has come, and none is in the unexpected queue */
  MPISPEC_BEHIND,   /* other messages, posted receives or the network must be tested first */
  MPISPEC_AT_HEAD,  /* the message is next in its lane, but needs more than a copy */
  MPISPEC_RECEIVED, /* the receive is complete */
};

/* Attempts to receive. Polls an empty lane `polls` times; `polls` is at least 1. */
enum mpispec_tried mpispec_receive_try(const struct mpispec_call *call, unsigned polls,
                                       struct mpispec_result *result);

/* Starts request->call, a receive from a rank of this node or from any source. `tried` is the
 * result of an earlier attempt. */
void mpispec_receive_start(struct mpispec_request *request, enum mpispec_tried tried);

/* Sends a message of this rank to itself: copies it into the buffer of a posted receive that
 * matches. The bytes must be contiguous, and their number must fit a cell's header. Otherwise
 * returns 0 and sends nothing. */
int mpispec_receive_hand_over(const struct mpispec_call *call);

/* Delivers the messages in the lane from `peer` to posted receives that match. Messages without a
 * matching receive go to the unexpected queue. If `all` is 0, stops when no receive waits for this
 * peer, and leaves further messages in the lane. */
void mpispec_receive_drain(int peer, int all);

/* The pattern by which a receive or probe on an adopted communicator matches, and the peer that it
 * names. */
static inline struct mpispec_receive
mpispec_receive_pattern(const struct mpispec_communicator *communicator, int tag) {
  const int any = tag == MPI_ANY_TAG;
  return (struct mpispec_receive){.key = communicator->route.key | (any ? 0 : (unsigned)tag),
                                  .wild = any ? UINT32_MAX : 0};
}
static inline int mpispec_receive_peer(const struct mpispec_communicator *communicator,
                                       int source) {
  return source == MPI_ANY_SOURCE ? MPISPEC_ANY_PEER : communicator->peer_of[source];
}

/* Gives the credit that is due in a lane. If none is due, follows a link, or delivers messages of
 * any kind to receives that wait. Returns nonzero if the reading end has changed. */
int mpispec_lane_progress(struct mpispec_reader *reader);

/* Prefetches, for writing, the cell of the next message to the sender of an awaited message,
 * because programs often answer. The sender mostly polls this cell, so that its line is in the
 * other core's cache. Called after the message has been copied: if the prefetch is earlier, the
 * line goes back to the sender before the answer is written. */
static inline __attribute__((always_inline)) void
mpispec_lane_prefetch_answer(const struct mpispec_reader *reader) {
  const int64_t peer = (const struct mpispec_incoming *)reader - mpispec_shm.incoming;
  mpispec_prefetch(mpispec_shm.outgoing[peer].end.next);
}

/* Called before a communicator and its context are freed. Makes all simple receives on it ordinary
 * requests, which keep the communicator. An Issend of a template on it leaves it. */
void mpispec_receive_promote_all(struct mpispec_communicator *communicator);

/* Drains the lanes of active peers for which a receive waits. */
void mpispec_receive_progress(void);

/* Nonzero if the lane from `peer` has a message, or seems to have one. If `peer` is
 * MPISPEC_ANY_PEER, one such lane from an active peer is enough. Needs no lock. */
int mpispec_receive_has_head(int peer);

/* Nonzero if a lane for which a receive is posted has a message, or seems to have one. `*heads`
 * becomes a number that changes when the head of such a lane moves. Needs no lock. */
int mpispec_receive_has_news(uintptr_t *heads);
#endif
