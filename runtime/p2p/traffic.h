/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Long messages that are under way between this rank and others: lists, counters, and for each peer
 * the state of both directions. push.c, pull.c and rendezvous.c share these data. All functions are
 * called with the lock held. */
#ifndef MPISPEC_RUNTIME_TRAFFIC_H
#define MPISPEC_RUNTIME_TRAFFIC_H

#include "p2p/request.h"

/* Called in MPI_Init and MPI_Finalize. */
void mpispec_traffic_open(void);
void mpispec_traffic_close(void);

/* The number of sends and receives that are under way. The process must not leave MPI_Finalize
 * before there are none. */
extern size_t mpispec_rendezvous_under_way;

/* Bytes of long messages that this rank has copied since MPI_Init: in total, and by each of the
 * four operations of pull.c and push.c. */
extern uint64_t mpispec_rendezvous_moved;
extern struct mpispec_rendezvous_counts {
  uint64_t filled, emptied, pulled, pushed;
} mpispec_rendezvous_counts;

/* Counts copied bytes in total and in `*count`. */
static inline void mpispec_traffic_note_moved(int64_t length, uint64_t *count) {
  mpispec_rendezvous_moved += (uint64_t)length;
  *count += (uint64_t)length;
}

/* A request is in one list at most. */
struct mpispec_request_list {
  struct mpispec_request *first, *last;
};
extern struct mpispec_request_list mpispec_pushes; /* sends that are not complete */
extern struct mpispec_request_list mpispec_pulls;  /* receives whose bytes are not all copied */

/* Add to a list, and remove from it. Both update mpispec_rendezvous_under_way. */
void mpispec_request_list_add(struct mpispec_request_list *list, struct mpispec_request *request);
void mpispec_request_list_remove(struct mpispec_request_list *list,
                                 struct mpispec_request *request);

/* Long messages between this rank and one peer. */
struct mpispec_traffic {
  struct mpispec_request *filling; /* the send that fills the pipe, or null */
  uint64_t early;    /* RTS descriptor of the long send that fills slots before it is matched, or
                        0 */
  uint32_t sends;    /* sends to the peer that have no FIN yet */
  uint8_t exchanges; /* when the last receive from the peer began, a send to it had no FIN */
  uint8_t sends_since_receive; /* sends to the peer since that receive began, at most
                                  MPISPEC_LAST_EXCHANGED */
  uint8_t began_soon;   /* the last message began back to back with the one before: see way.h */
  uint8_t back_to_back; /* value of began_soon at the end of the last receive, for the next one */
  uint8_t had_company;  /* the last receive came with other long messages */
  uint64_t ended_at;    /* clock ticks when the last message ended; 0 if one has begun since then */
  /* Clock ticks that this rank has spent with copies since the last receive from the peer ended:
   * of `received` bytes from it, and of bytes for the pipe to it. */
  uint64_t receiving, received, sending;
  uint64_t read_at;       /* clock ticks when the peer was last seen to read a part of a collective
                             operation whose send was complete before FIN */
  uint64_t filled_at;     /* clock ticks when this rank last filled a slot for the peer */
  uint64_t awaited_since; /* when a call that waits chose the way of a receive from the peer; 0
                             again when the next message begins */
  uint32_t answered;      /* the peer's last request for room that this rank answered (room.h) */
  uint8_t lends;          /* this rank has kept a block of the peer's arena */
  uint32_t last_polled_round; /* the last round of progress in which a receive by pipe was polled */
};
extern struct mpispec_traffic *mpispec_traffic; /* [node size] */

/* Called when a message to or from the peer begins or ends. mpispec_traffic_begin_receive also
 * updates `exchanges` and `sends_since_receive`. mpispec_traffic_end is not called for a send that
 * completes before FIN, because in an exchange the message from the peer may begin afterwards. */
void mpispec_traffic_begin(int peer, int64_t bytes);
void mpispec_traffic_begin_receive(int peer, int64_t bytes);
void mpispec_traffic_end(int peer);

/* Adds the ticks of a copy that began at `began` to `*time`, and returns the time now. If the way
 * of a receive from the peer was chosen before this rank's last copy, the ticks since that copy
 * count, too. */
uint64_t mpispec_traffic_copied(const struct mpispec_traffic *traffic, uint64_t began,
                                uint64_t *time);

/* Nonzero if any long message is under way in this direction, or a short synchronous send awaits
 * FIN. A rank that both sends and receives fills or empties only one slot of a message at a time.
 * Therefore the other rank always has a slot to copy, too. */
static inline int mpispec_is_sending(void) { return mpispec_pushes.first != NULL; }
static inline int mpispec_is_receiving(void) { return mpispec_pulls.first != NULL; }

#endif
