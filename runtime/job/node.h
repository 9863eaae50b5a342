/* The node: this rank's view of the ranks it shares memory with, and the way in and out of it.
 *
 * mpispec_node_announce   before PMPI_Init: tells the neighbours that this rank would take part
 * mpispec_node_join       after PMPI_Init: all ranks of the job agree, map segments, open lanes
 * mpispec_node_leave      before PMPI_Finalize
 *
 * A rank that does not announce itself (MPISPEC_MODE=off, or a program without the runtime) makes
 * everyone step aside without a message: nobody waits for it. */
#ifndef MPISPEC_RUNTIME_NODE_H
#define MPISPEC_RUNTIME_NODE_H

#include "job/environment.h"
#include "p2p/matching.h"
#include "shm/arena.h"
#include "shm/lane.h"
#include "shm/segment.h"

#include <mpi.h>

/* A block that this rank received a message in and has not given back (block.c). */
struct mpispec_kept {
  int owner;       /* whose arena it is from */
  uint64_t offset; /* or 0: none */
  int answers;     /* this rank has sent a block since the last one it kept */
  int received;    /* a message too long for cells, since it sent the last such */
};

struct mpispec_node {
  int rank, size; /* among the ranks of this node */
  int world_rank, world_size;
  int *world_ranks;                    /* [size] of node ranks */
  unsigned char **segments;            /* [size] */
  struct mpispec_outgoing *outgoing;   /* [size]: to peer */
  struct mpispec_incoming *incoming;   /* [size]: from peer */
  uint64_t told[MPISPEC_TALKER_WORDS]; /* peers whose talkers word has our bit */
  struct mpispec_arena arena;
  struct mpispec_kept kept;
  struct mpispec_matching matching;
  struct mpispec_segment_address *addresses; /* [size] */
  int can_read; /* process_vm_readv lets us read the memory of other ranks */
};

extern struct mpispec_node mpispec_node;

/* Lets templates use the lanes, to so many ranks of MPI_COMM_WORLD; 0 for not at all. */
void mpispec_node_show_lanes(unsigned world_size);

static inline struct mpispec_segment_header *mpispec_node_header(int peer) {
  return (struct mpispec_segment_header *)mpispec_node.segments[peer];
}

/* Has this peer ever sent to us? */
static inline int mpispec_node_is_talking(int peer) {
  return atomic_load_explicit(&mpispec_node_header(mpispec_node.rank)->talkers[peer / 64],
                              memory_order_relaxed) >>
             peer % 64 &
         1;
}

/* Says that this rank is willing. A no-op without a launcher that names the ranks. */
void mpispec_node_announce(void);

/* Collective over the willing. Returns null when the lanes are open, else why not (the same
 * decision on every rank, the reason as this rank knows it). `library_is_threaded` says whether two
 * threads may be in the MPI library at a time. */
const char *mpispec_node_join(const struct mpispec_environment *environment,
                              int library_is_threaded);

void mpispec_node_leave(void);

#endif
