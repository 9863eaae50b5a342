/* Matching: which receive gets which message. MPI 4.0, sections 3.5 (order) and 3.2.4 (wildcards).
 *
 *   posted receives                              unexpected messages
 *     from peer 0:  R3 -> R7                       from peer 0:  m1 -> m2
 *     from peer 1:  R4                             from peer 1:  (none)
 *     from any:     R5 -> R6
 *
 * A message is offered to the receives that name its peer and to those from any, in the order in
 * which they were posted. A receive is offered the messages of a peer in the order in which they
 * came. A receive is posted only after no unexpected message fits it, and a message becomes
 * unexpected only after no posted receive fits it; so nothing that matches ever waits in both.
 *
 * This file knows nothing of MPI, lanes or memory: receiver.c does. Not thread safe: the caller
 * holds the runtime's lock (progress.h). */
#ifndef MPISPEC_RUNTIME_MATCHING_H
#define MPISPEC_RUNTIME_MATCHING_H

#include <stddef.h>
#include <stdint.h>

enum { MPISPEC_ANY_PEER = -1 };

/* Part of a request. */
struct mpispec_posted {
  struct mpispec_posted *next, *previous;
  uint64_t key, mask; /* takes a message whose key & mask == key */
  uint64_t order;     /* of posting */
  int peer;           /* node rank, or MPISPEC_ANY_PEER */
  int waiting;        /* is in a list */
};

struct mpispec_message {
  struct mpispec_message *next;
  uint64_t key;
  uint64_t header;  /* of its first cell */
  uint64_t word[3]; /* the first words of its first cell: offset, address, length */
  int peer;
  unsigned char bytes[]; /* of an inline message */
};

struct mpispec_posted_list {
  struct mpispec_posted *first, *last;
};
struct mpispec_message_list {
  struct mpispec_message *first, *last;
};

/* Called when a peer, or MPISPEC_ANY_PEER, comes to have something queued, or has nothing any more.
 */
typedef void mpispec_matching_tell(int peer, int is_queued);

struct mpispec_matching {
  int peers;
  struct mpispec_posted_list *posted; /* [peers + 1]; the last is from any */
  struct mpispec_message_list *unexpected;
  size_t posted_count, unexpected_count;
  unsigned *queued; /* [peers + 1] posted from this peer, and its unexpected messages; the last is
                       posted from any */
  mpispec_matching_tell *tell;
  uint64_t next_order;
  int next_peer; /* where a search over all peers begins, for fairness */
};

/* Returns nonzero if there was memory. */
int mpispec_matching_open(struct mpispec_matching *matching, int peers,
                          mpispec_matching_tell *tell);
void mpispec_matching_close(struct mpispec_matching *matching);

static inline int mpispec_fits(const struct mpispec_posted *posted, uint64_t key) {
  return (key & posted->mask) == posted->key;
}

/* Nonzero if a receive from any source waits. */
static inline int mpispec_matching_awaits_any(const struct mpispec_matching *matching) {
  return matching->queued[matching->peers] != 0;
}

/* Nonzero if a message from `peer` could find a posted receive. */
static inline int mpispec_matching_listens(const struct mpispec_matching *matching, int peer) {
  return mpispec_matching_awaits_any(matching) || matching->posted[peer].first;
}

/* Nonzero if a receive from `peer` may look at the lane at once: nothing comes before it. */
static inline int mpispec_matching_is_clear(const struct mpispec_matching *matching, int peer) {
  return !mpispec_matching_awaits_any(matching) && !matching->queued[peer];
}

void mpispec_matching_post(struct mpispec_matching *matching, struct mpispec_posted *posted);
void mpispec_matching_withdraw(struct mpispec_matching *matching, struct mpispec_posted *posted);

/* The posted receive that gets a message, taken off its list, or null. */
struct mpispec_posted *mpispec_matching_take_posted(struct mpispec_matching *matching, int peer,
                                                    uint64_t key);

void mpispec_matching_add(struct mpispec_matching *matching, struct mpispec_message *message);

/* The unexpected message that a receive with this peer, key and mask gets: found, or taken. */
struct mpispec_message *mpispec_matching_find(struct mpispec_matching *matching,
                                              const struct mpispec_posted *wanted);
struct mpispec_message *mpispec_matching_take(struct mpispec_matching *matching,
                                              const struct mpispec_posted *wanted);

#endif
