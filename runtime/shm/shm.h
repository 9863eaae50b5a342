/* This rank's part in the shared memory of its node: its own segment, the segments of its peers,
 * and its ends of the lanes to and from them. */
#ifndef MPISPEC_RUNTIME_SHM_H
#define MPISPEC_RUNTIME_SHM_H

#include "job/node.h"
#include "shm/arena.h"
#include "shm/lane.h"
#include "shm/segment.h"

struct mpispec_shm {
  unsigned char **segments;          /* [node size] */
  struct mpispec_outgoing *outgoing; /* [node size]: to peer */
  struct mpispec_incoming *incoming; /* [node size]: from peer */
  uint64_t told[MPISPEC_PEER_WORDS]; /* peers in whose active peers we are */
  struct mpispec_arena arena;
  struct mpispec_segment_address *addresses; /* [node size] */
};

extern struct mpispec_shm mpispec_shm __attribute__((visibility("hidden")));

static inline struct mpispec_segment_header *mpispec_shm_header(int peer) {
  return (struct mpispec_segment_header *)mpispec_shm.segments[peer];
}

/* Has this peer ever sent to us? */
static inline int mpispec_shm_is_active(int peer) {
  return atomic_load_explicit(&mpispec_shm_header(mpispec_node.rank)->active_peers[peer / 64],
                              memory_order_relaxed) >>
             peer % 64 &
         1;
}

/* Collective over `members`, the ranks of the node, in trouble or not: makes this rank's segment
 * and maps all others. Returns why it failed, or null. `file` is to be given to
 * mpispec_shm_settle. */
const char *mpispec_shm_map(MPI_Comm members, const char *trouble, int *file);

/* When all ranks know whether all could map all: opens the lanes, or not. */
void mpispec_shm_settle(int file, int opens);

/* The room in a peer's segment that belongs to whoever called mpispec_segment_reserve. */
static inline unsigned char *mpispec_shm_reserved(int peer) {
  return mpispec_shm.segments[peer] + mpispec_segment_reserved(mpispec_node.size);
}

/* Memory goes back that a flood of messages has left. */
void mpispec_shm_trim(void);

void mpispec_shm_close(void);

#endif
