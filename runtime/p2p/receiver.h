/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Receives: they are posted here, and lanes are drained. Callers hold the lock. */
#ifndef MPISPEC_RUNTIME_RECEIVER_H
#define MPISPEC_RUNTIME_RECEIVER_H

#include "p2p/matching.h"
#include "p2p/queues.h"
#include "p2p/request.h"

/* The result of a receive that is tried before a request is made for it. Only MPISPEC_RECEIVED has
 * changed anything that the program sees. Each other result names a test that need not be
 * repeated. */
enum mpispec_tried {
  MPISPEC_UNTRIED,  /* the lane was not polled */
  MPISPEC_EMPTY,    /* the lane is empty, and nothing is queued */
  MPISPEC_BEHIND,   /* another message, a queued one or a posted receive comes before */
  MPISPEC_AT_HEAD,  /* the message is next in its lane, but takes more than a copy */
  MPISPEC_RECEIVED, /* it is over */
};

/* Tries it, with so many polls of an empty lane, at least 1. */
enum mpispec_tried mpispec_receive_try(const struct mpispec_call *call, unsigned polls,
                                       struct mpispec_result *result);

/* Starts request->call, a receive from a rank of this node or from any source, of which `tried` is
 * known. */
void mpispec_receive_start(struct mpispec_request *request, enum mpispec_tried tried);

/* Copies a message of this rank to itself into the receive that is posted for it, if there is one
 * and the bytes are contiguous. Returns 0, having sent nothing, if not. */
int mpispec_receive_hand_over(const struct mpispec_call *call);

/* Moves what has come from `peer` to receives that fit. With `all`, the rest goes to the unexpected
 * queue; else it stays in the lane as soon as no receive waits for it. */
void mpispec_receive_drain(int peer, int all);

/* The pattern of a receive or probe on an adopted communicator; and from whom. */
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

/* Delivers the messages at the head of a lane, of any kind, to the receives that wait for them.
 * Returns nonzero if there was one. */
int mpispec_lane_progress(struct mpispec_reader *reader);

/* A communicator is about to go, and its context with it: all simple receives on it become such as
 * keep it. */
void mpispec_receive_promote_all(struct mpispec_communicator *communicator);

/* Drains the lanes of active peers for which a receive waits. */
void mpispec_receive_progress(void);

/* Nonzero if a lane for which a receive is posted has a message, or seems to have one. Needs no
 * lock. */
int mpispec_receive_has_news(void);
#endif
