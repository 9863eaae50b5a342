/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Matching: which receive gets which message. MPI 4.0, sections 3.5 (order) and 3.2.4 (wildcards).
 *
 *   posted receives                              unexpected messages
 *     from peer 0:  R3 -> R7                       from peer 0:  m1 -> m2
 *     from peer 1:  R4                             from peer 1:  (none)
 *     from any:     R5 -> R6
 *
 * A message is offered to the receives that name its peer and to those from any, in the order in
 * which they were posted. A receive is offered the messages of a peer in the order in which they
 * came. A receive is posted only if no unexpected message fits it. A message becomes unexpected
 * only if no posted receive fits it. Therefore a receive and a message that match never wait at the
 * same time.
 *
 * The reading end of a lane has the list of the receives from its peer. Templates read this list
 * and append to it. The limit of the reading end is null while receives or messages from the peer
 * are queued.
 *
 * These functions call no MPI function. They copy no payload; receiver.c and delivery.c copy it.
 * Not thread safe: the caller holds the runtime's lock (progress/lock.h). */
#ifndef MPISPEC_RUNTIME_MATCHING_H
#define MPISPEC_RUNTIME_MATCHING_H

#include "mpispec/state.h"

#include <stddef.h>
#include <stdint.h>

enum { MPISPEC_ANY_PEER = -1 };

struct mpispec_message {
  struct mpispec_message *next;
  uint64_t key;
  uint64_t header;  /* header of its first cell */
  uint64_t word[3]; /* the first words of that cell's payload: see enum mpispec_kind */
  int peer;
  unsigned char bytes[]; /* payload of an inline message */
};

struct mpispec_message_list {
  struct mpispec_message *first, *last;
};

/* Called when the first receive from any source begins to wait, and when none waits any more. Also
 * called when the first message becomes unexpected, and when none is left. */
typedef void mpispec_matching_changed(void);

struct mpispec_matching {
  int peers;
  struct mpispec_reader **readers; /* [peers], the reading ends of their lanes */
  struct mpispec_reader any;       /* holds the receives from any source; no lane */
  struct mpispec_message_list *unexpected;
  size_t unexpected_count;
  mpispec_matching_changed *on_change;
  uint64_t last_order;
  int next_peer; /* where a search over all peers begins, for fairness */
};

/* `reader_of` returns the reading end of a peer's lane. mpispec_matching_open returns 0 if there is
 * no memory. */
int mpispec_matching_open(struct mpispec_matching *matching, int peers,
                          struct mpispec_reader *(*reader_of)(int peer),
                          mpispec_matching_changed *on_change);
void mpispec_matching_close(struct mpispec_matching *matching);

static inline int mpispec_fits(const struct mpispec_receive *receive, uint64_t key) {
  return !((key ^ receive->key) & ~(uint64_t)receive->wild);
}

/* Nonzero if a receive from any source waits. */
static inline int mpispec_matching_awaits_any(const struct mpispec_matching *matching) {
  return matching->any.first != NULL;
}

/* Nonzero if a receive from any source waits that may match the same message as a receive with
 * these `key` and `wild`. Such a rival was posted earlier, or must be compared with that receive.
 * Programs often keep a receive from any source posted on a communicator or for a tag of its own,
 * which is no rival of their other receives. */
static inline int mpispec_matching_has_rival(const struct mpispec_matching *matching, uint64_t key,
                                             uint64_t wild) {
  const struct mpispec_receive *any = matching->any.first;
  if (__builtin_expect(!any, 1))
    return 0;
  while (any && (any->key ^ key) & ~(any->wild | wild))
    any = any->next;
  return any != NULL;
}

/* Nonzero if a receive is posted that a message from `peer` could match. */
static inline int mpispec_matching_awaits(const struct mpispec_matching *matching, int peer) {
  return mpispec_matching_awaits_any(matching) || matching->readers[peer]->first;
}

/* The reading end with the list of the receives from `peer`, which may be MPISPEC_ANY_PEER. */
static inline struct mpispec_reader *mpispec_matching_reader(struct mpispec_matching *matching,
                                                             int peer) {
  return peer == MPISPEC_ANY_PEER ? &matching->any : matching->readers[peer];
}

void mpispec_matching_post(struct mpispec_matching *matching, struct mpispec_reader *reader,
                           struct mpispec_receive *receive);
/* Like mpispec_matching_post, for a receive from one peer that has no rival. The caller must count
 * the receive in mpispec_state.posted. */
static inline void mpispec_matching_link(struct mpispec_reader *reader,
                                         struct mpispec_receive *receive) {
  receive->order = 0;
  receive->next = NULL;
  *reader->last = receive;
  reader->last = &receive->next;
  reader->limit = NULL;
}

void mpispec_matching_withdraw(struct mpispec_matching *matching, struct mpispec_reader *reader,
                               struct mpispec_receive *receive);

/* Returns the posted receive that gets a message, and takes it off its list. Returns null if there
 * is none. */
struct mpispec_receive *mpispec_matching_take_posted(struct mpispec_matching *matching, int peer,
                                                     uint64_t key);

void mpispec_matching_add(struct mpispec_matching *matching, struct mpispec_message *message);

/* Return the unexpected message from `peer` that the receive `wanted` gets, or null. `peer` may be
 * MPISPEC_ANY_PEER. mpispec_matching_take also takes the message off its queue. */
struct mpispec_message *mpispec_matching_find(struct mpispec_matching *matching, int peer,
                                              const struct mpispec_receive *wanted);
struct mpispec_message *mpispec_matching_take(struct mpispec_matching *matching, int peer,
                                              const struct mpispec_receive *wanted);

#endif
