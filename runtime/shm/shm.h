/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* This rank's part of its node's shared memory: its own segment, the mapped segments of its peers,
 * and its ends of all lanes. */
#ifndef MPISPEC_RUNTIME_SHM_H
#define MPISPEC_RUNTIME_SHM_H

#include "job/node.h"
#include "shm/arena.h"
#include "shm/lane.h"
#include "shm/passing.h"
#include "shm/segment.h"

struct mpispec_shm {
  unsigned char **segments;                  /* [node size]: their headers */
  unsigned char *homes;                      /* this rank's home ring in each segment */
  uint64_t bytes;                            /* mapped of each segment */
  struct mpispec_outgoing *outgoing;         /* [node size]: lanes to each peer */
  struct mpispec_incoming *incoming;         /* [node size]: lanes from each peer */
  uint64_t announced_to[MPISPEC_PEER_WORDS]; /* peers whose `active_peers` has this rank's bit */
  struct mpispec_arena arena;
  struct mpispec_segment_address *addresses; /* [node size] */
  struct mpispec_passed *passed;             /* [node size]; null in one process namespace */
};

extern struct mpispec_shm mpispec_shm __attribute__((visibility("hidden")));

static inline struct mpispec_segment_header *mpispec_shm_header(int peer) {
  return (struct mpispec_segment_header *)mpispec_shm.segments[peer];
}

/* Whether this peer has ever sent to this rank. */
static inline int mpispec_shm_is_active(int peer) {
  return atomic_load_explicit(&mpispec_shm_header(mpispec_node.rank)->active_peers[peer / 64],
                              memory_order_relaxed) >>
             peer % 64 &
         1;
}

/* Whether this peer is in another process namespace, where its process number means nothing. */
static inline int mpispec_shm_is_apart(int peer) {
  return mpispec_shm.addresses[peer].process_namespace !=
         mpispec_shm.addresses[mpispec_node.rank].process_namespace;
}

/* Makes this rank's segment and maps all others. Collective over `members`, the ranks of the node.
 * A rank that cannot take part passes the reason as `reason`, else null. Returns the reason of a
 * failure, or null. `file` is the descriptor for mpispec_shm_decide. */
const char *mpispec_shm_map(MPI_Comm members, const char *reason, int *file);

/* Closes `file`. Opens the lanes if `opens`, otherwise unmaps all segments. Called after all ranks
 * have agreed whether every rank could map every segment. */
void mpispec_shm_decide(int file, int opens);

/* The address of byte `offset` of the reserved part of a peer's segment
 * (mpispec_segment_reserve). */
static inline unsigned char *mpispec_shm_reserved(int peer, uint64_t offset) {
  return mpispec_segment_reserved(mpispec_shm.segments[peer], mpispec_node.size, offset);
}

void mpispec_shm_close(void);

#endif
